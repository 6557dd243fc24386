"""Boards of the sources that several tests are about."""

S4_BOARDS = {
    "010/201/020": 20,
    "0020/2020/0300/0001": 81,
    "00000/20302/03030/20302/00000": 114,
    "01000/01060/00000/11100/00000": 144,
    "102000/000000/103000/000220/020000/021000": 197,
}
"""S4's five boards, 0 for an unknown cell, and the number of clauses it has for each."""
