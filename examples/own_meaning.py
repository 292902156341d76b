"""A language of meaning of your own: questions to a tiny shop become forms, which a function executes."""

from structron import SemanticParser
from structron.io import Term

STOCK = [  # name, kind, colour, price
    ("polo", "shirts", "red", 30),
    ("tee", "shirts", "blue", 15),
    ("fedora", "hats", "red", 45),
    ("beanie", "hats", "blue", 12),
    ("derby", "shoes", "black", 90),
    ("sneaker", "shoes", "blue", 60),
]
GRAMMAR = """
QUERY -> names(THINGS)
QUERY -> count(THINGS)
QUERY -> price(THINGS)
THINGS -> red(THINGS)
THINGS -> blue(THINGS)
THINGS -> cheapest(THINGS)
THINGS -> dearest(THINGS)
THINGS -> shirts
THINGS -> hats
THINGS -> shoes
THINGS -> all
"""
TRAINING = """
which shirts do you have = names(shirts)
show me your hats = names(hats)
which red hats do you have = names(red(hats))
show me all blue things = names(blue(all))
how many shoes are there = count(shoes)
how many blue shirts are there = count(blue(shirts))
how many red things do you have = count(red(all))
what is your cheapest hat = names(cheapest(hats))
show me the cheapest blue thing = names(cheapest(blue(all)))
what are your most expensive shoes = names(dearest(shoes))
which is the most expensive thing = names(dearest(all))
what does the cheapest shirt cost = price(cheapest(shirts))
how much is the most expensive red shirt = price(dearest(red(shirts)))
how much are blue shoes = price(blue(shoes))
what do your hats cost = price(hats)
how much is your most expensive thing = price(dearest(all))
"""
NEW = """
which blue hats do you have = names(blue(hats))
how many red shirts are there = count(red(shirts))
show me the cheapest shoes = names(cheapest(shoes))
what does the most expensive blue thing cost = price(dearest(blue(all)))
"""


def shop(form: Term) -> object:  # the executor: any function from a form to its answer
    if not form.arguments:
        return [item for item in STOCK if form.name in (item[1], "all")]
    things = shop(form.arguments[0])
    assert isinstance(things, list)
    if form.name == "names":
        return [name for name, _, _, _ in things]
    if form.name == "price":
        return [price for _, _, _, price in things]
    if form.name in ("cheapest", "dearest"):
        choose = min if form.name == "cheapest" else max
        return [choose(things, key=lambda item: item[3])]
    return len(things) if form.name == "count" else [item for item in things if item[2] == form.name]


def pairs(text: str) -> tuple[list[str], list[str]]:
    questions, forms = zip(*(line.split(" = ") for line in text.strip().splitlines()))
    return list(questions), list(forms)


if __name__ == "__main__":
    parser = SemanticParser(GRAMMAR, executor=shop).fit(*pairs(TRAINING))
    for question, form, answer in zip(*pairs(NEW), parser.execute(pairs(NEW)[0])):
        (guess,) = parser.predict([question])
        print(f"{question}? {guess}{'' if guess == form else f' (wrong: {form})'}: {answer}")
