// What leaves the window or its card, and words of a picture, or controls, that stand on others. What scrolls may be wide.
() => {
  const faults = [];
  const named = (each) => `${each.tagName} ${each.className?.baseVal ?? each.className} ${(each.textContent ?? "").trim().slice(0, 40)}`;
  const isShown = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !each.closest(".hidden, .skip, .lessons span");
  const isScrolledAway = (each) => { const list = each.closest(".sentences")?.getBoundingClientRect(), own = each.getBoundingClientRect(); return list && (own.top > list.bottom - 4 || own.bottom < list.top + 4); };
  const boxes = (found) => [...found].filter((each) => isShown(each) && !isScrolledAway(each)).map((each) => [each, each.getBoundingClientRect()]).filter(([, box]) => box.width);
  const isApart = (a, b) => a.right <= b.left + 2 || b.right <= a.left + 2 || a.bottom <= b.top + 4 || b.bottom <= a.top + 4;
  const check = (found) => found.forEach(([one, box], i) => found.slice(i + 1).forEach(([other, place]) => isApart(box, place) || faults.push(`${named(one)} on ${named(other)}`)));

  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the window");
  for (const [each, box] of boxes(document.querySelectorAll("main *, header *"))) {
    if (each.parentNode.closest(".scroll, .numbers, .hidden, pre")) continue;
    const card = each.parentNode.closest(".card")?.getBoundingClientRect();
    if (box.left < -1 || box.right > innerWidth + 1) faults.push(`${named(each)} leaves the window`);
    if (card && (box.left < card.left - 1 || box.right > card.right + 1)) faults.push(`${named(each)} leaves its card`);
  }
  for (const picture of document.querySelectorAll("main svg")) check(boxes(picture.querySelectorAll("text")).filter(([each]) => each.textContent));
  check(boxes(document.querySelectorAll("main button, main select, main input, main textarea, main summary")));
  return faults.slice(0, 12);
}
