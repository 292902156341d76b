"""Write unicode_tables.hpp from Python's own character database.

The engine classifies and lower-cases characters itself, so that a word costs no call into Python.
Run from the checkout: ``python3 core/text/make_unicode_tables.py > core/text/unicode_tables.hpp``.
"""

import sys
import unicodedata

CLASSES = {"Lu": "U", "Lt": "U", "Ll": "L"}


def char_class(code: int) -> str:
    category = unicodedata.category(chr(code))
    if category in CLASSES:
        return CLASSES[category]
    return {"L": "O", "N": "D", "P": "P", "S": "P"}.get(category[0], "Z")


def rows(cells: list[str]) -> str:
    return ",\n".join(", ".join(cells[i : i + 8]) for i in range(0, len(cells), 8))


def main() -> None:
    ranges: list[tuple[int, str]] = []
    lower: list[tuple[int, int]] = []
    for code in range(sys.maxunicode + 1):
        kind = char_class(code)
        if not ranges or ranges[-1][1] != kind:
            ranges.append((code, kind))
        small = chr(code).lower()
        if code > 127 and len(small) == 1 and ord(small) != code:
            lower.append((code, ord(small)))
    print("// Made by make_unicode_tables.py from Unicode", unicodedata.unidata_version)
    print("#pragma once\n#include <cstdint>\n\nnamespace structron::unicode {\n")
    print("// clang-format off")
    print("struct Range { uint32_t first; char kind; };")
    print(f"inline constexpr Range kRanges[{len(ranges)}] = {{")
    print(rows([f"{{{code},'{kind}'}}" for code, kind in ranges]))
    print("};\nstruct Lower { uint32_t from, to; };")
    print(f"inline constexpr Lower kLower[{len(lower)}] = {{")
    print(rows([f"{{{a},{b}}}" for a, b in lower]))
    print("};\n// clang-format on\n\n}  // namespace structron::unicode")


if __name__ == "__main__":
    main()
