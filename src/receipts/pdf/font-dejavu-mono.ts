/*
DejaVu Sans Mono, glyphs of Latin letters

Copyright (c) 2003 by Bitstream, Inc. All Rights Reserved. Bitstream Vera is a
trademark of Bitstream, Inc. DejaVu changes are in public domain.

Permission is hereby granted, free of charge, to any person obtaining a copy
of the fonts accompanying this license ("Fonts") and associated
documentation files (the "Font Software"), to reproduce and distribute the
Font Software, including without limitation the rights to use, copy, merge,
publish, distribute, and/or sell copies of the Font Software, and to permit
persons to whom the Font Software is furnished to do so, subject to the
following conditions:

The above copyright and trademark notices and this permission notice shall
be included in all copies of one or more of the Font Software typefaces.

The Font Software may be modified, altered, or added to, and in particular
the designs of glyphs or characters in the Fonts may be modified and
additional glyphs or characters may be added to the Fonts, only if the fonts
are renamed to names not containing either the words "Bitstream" or the word
"Vera".

This License becomes null and void to the extent applicable to Fonts or Font
Software that has been modified and is distributed under the "Bitstream
Vera" names.

The Font Software may be sold as part of a larger software package but no
copy of one or more of the Font Software typefaces may be sold by itself.

THE FONT SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS
OR IMPLIED, INCLUDING BUT NOT LIMITED TO ANY WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF COPYRIGHT, PATENT,
TRADEMARK, OR OTHER RIGHT. IN NO EVENT SHALL BITSTREAM OR THE GNOME
FOUNDATION BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, INCLUDING
ANY GENERAL, SPECIAL, INDIRECT, INCIDENTAL, OR CONSEQUENTIAL DAMAGES,
WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF
THE USE OR INABILITY TO USE THE FONT SOFTWARE OR FROM OTHER DEALINGS IN THE
FONT SOFTWARE.

Except as contained in this notice, the names of Gnome, the Gnome
Foundation, and Bitstream Inc., shall not be used in advertising or
otherwise to promote the sale, use or other dealings in this Font Software
without prior written authorization from the Gnome Foundation or Bitstream
Inc., respectively. For further information, contact: fonts at gnome dot
org.
*/

/** Its characters, in the order of `GLYPHS`. */
export const CHARACTERS =
  ' !"#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\u00a0\u00a1\u00a2\u00a3\u00a4\u00a5\u00a6\u00a7\u00a8\u00a9\u00aa\u00ab\u00ac\u00ad\u00ae\u00af\u00b0\u00b1\u00b2\u00b3\u00b4\u00b5\u00b6\u00b7\u00b8\u00b9\u00ba\u00bb\u00bc\u00bd\u00be\u00bf\u00c0\u00c1\u00c2\u00c3\u00c4\u00c5\u00c6\u00c7\u00c8\u00c9\u00ca\u00cb\u00cc\u00cd\u00ce\u00cf\u00d0\u00d1\u00d2\u00d3\u00d4\u00d5\u00d6\u00d7\u00d8\u00d9\u00da\u00db\u00dc\u00dd\u00de\u00df\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u00e6\u00e7\u00e8\u00e9\u00ea\u00eb\u00ec\u00ed\u00ee\u00ef\u00f0\u00f1\u00f2\u00f3\u00f4\u00f5\u00f6\u00f7\u00f8\u00f9\u00fa\u00fb\u00fc\u00fd\u00fe\u00ff\u0100\u0101\u0102\u0103\u0104\u0105\u0106\u0107\u0108\u0109\u010a\u010b\u010c\u010d\u010e\u010f\u0110\u0111\u0112\u0113\u0114\u0115\u0116\u0117\u0118\u0119\u011a\u011b\u011c\u011d\u011e\u011f\u0120\u0121\u0122\u0123\u0124\u0125\u0126\u0127\u0128\u0129\u012a\u012b\u012c\u012d\u012e\u012f\u0130\u0131\u0132\u0133\u0134\u0135\u0136\u0137\u0138\u0139\u013a\u013b\u013c\u013d\u013e\u013f\u0140\u0141\u0142\u0143\u0144\u0145\u0146\u0147\u0148\u0149\u014a\u014b\u014c\u014d\u014e\u014f\u0150\u0151\u0152\u0153\u0154\u0155\u0156\u0157\u0158\u0159\u015a\u015b\u015c\u015d\u015e\u015f\u0160\u0161\u0162\u0163\u0164\u0165\u0166\u0167\u0168\u0169\u016a\u016b\u016c\u016d\u016e\u016f\u0170\u0171\u0172\u0173\u0174\u0175\u0176\u0177\u0178\u0179\u017a\u017b\u017c\u017d\u017e\u017f\u0218\u0219\u021a\u021b\u02c7\u02d8\u02d9\u02db\u02dd\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2020\u2021\u2022\u2026\u2030\u2039\u203a\u20ac\u2122'

/** The number of the glyph of each character. */
// biome-ignore format: one number a line would be long
export const GLYPHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269, 270, 271, 272, 273, 274, 275, 276, 277, 278, 279, 280, 281, 282, 283, 284, 285, 286, 287, 288, 289, 290, 291, 292, 293, 294, 295, 296, 297, 298, 299, 300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321, 322, 323, 327, 328, 329, 331, 333, 341, 342, 343, 344, 345, 346, 347, 348, 349, 350, 351, 352, 353, 354, 355, 357, 358]

/** The bytes of the TrueType file, deflated, in Base64; without its tables of names and instructions. */
export const FONT_LENGTH = 19868
// biome-ignore format: one string
export const DEFLATED_FONT = [
'eNqVfA9czef3+Pt5v9/33pD0/0b6c7vqLkmSSpJCkkpCq1RakUQlpCVppCUtieVvC2ktrTWzZiSWWQw1WrNmmA9mtvkz8zFiuvfpd57nfe/t1uzzff16e9e9532e85znPO',
'c55zzPOW8MYhhGzPgxLGO7ODU76frqLQTQyDABPycvSkh0+qDFBgCpcHskA0B/I3sAPlfDPSI5bdXq4uTVx+Dz7wzD/p6avjDh+r4/TjMM9y35npawejnawOyE5+fhtmVI',
'X2xc46TLoT+8MWTiM8ZKjyE/t8ZURJK/v43K/amnS9UispWsgq96wJPwA+0kadiKYfiOnq6eT0UCJd0fRCAog5nJSJgAhu/3nGNYvoNJhs55NAeoNjMyxos1RHUolqlhol',
'AZSkT3mCSmgOlidjNF8KkUPhcz+cw6dA+VMVH0espYMvaAXwwYZxmCX8RcYNLg9xUmAqCZAM2ElsWMC1PGeEG/xoBfgdqZJBTNBAJ/UqB6mmlhcuBqoXcD08Q8ZCqBSgvQ',
'aWaK0FKmE/ptYRKhfQjw3MbcYI2ZG9A/cA/PipmLjD1AziFfoGjAZAH/gIt8kBN8moIC0HVovRT4LkaE59PANblOAy+9FwN0zqqvC+pLj45Bc+2E72Xqyx6engTeey9H9S',
'jI1aC+iugYNFcUSKFFfSXDyJKBSoH2Lgao7l0EdPTgPvuKO6nfTfrhYJYvQJ/97p6eHiXIsglwHsJ1HiR7pffu6QKJ6vZqAWNrgbEWae9AxoAphTkoRbb0bzGVeO/tAnOj',
'uUnbV93kx56OtwJmT3O3aNs3oXbkCJcLi1AEqkY2KApmj3yLQp1oNyqmCt0OVxlzmV5VTBXMdhhAowFfn8wfuo584bZB2cgTeTKW6vY+0NQMrlGworOZr5E1WonWo73oOL',
'qJXrADWCk7gh3LLmc3scfYJ9wQzpdby5VyP/DGvD0/kZ/NL+Kz+U9ESGQlmivKE9WImkWXxWKxtdhD/Lp4hThPvF98THxXoieZJEmXfCRpljzSY/Ws9Xz0wvVS9HL1SvT2',
'632u95XedwMMB/gNSB1QMeDSgD8Hjh4YNjBt4OaBtQNPD3w2yHyQ36D0QfsHNQ/6W99Sf6J+mH6q/mb9T/XP678crDd4wuDFcK0b3DT4F4PRBvMMlhm0GtwYEjikcMiHQ4',
'4POWfoZTjdcKXhNsPjhn8ZISM3o1CjGKOFRtlGNUZtRteNHhh1G48z9jMOMY4yTjRebvyh8bfG141/M/7LuMdkkInURG7iYuJtkmKSZZJvUmrynslBk89MOk1lps6mXqbT',
'TGebzjfNN71g+r3pTdP7ps9AjIPMUszeNMsz22y2y6zK7GOzRrMWs0vmJubW5o7m48x9zYPMXzdfZv65+ZfmbeY/mN82fygdLlVIx0p9pIHSudI3pCnSLOkG6RbpHmm19B',
'PpCenX0u+k/5H+amFjMdLC3cLPItgiwiLBIs0i26LAYqtFhcVBiwaLLyzOW1y2uGnxwOL5UG7oa0PnDn1j6NKhmUPXDy0eunPogaH1Q48NvTgMDXMfNnlYyLDIYQuHrRtW',
'PGzXsKphHw87PuzssI5hN4a9tLSzHG3pZelvOcsyxjLJcqVlpeV3ljcsf7f8yxIPHzDcdPjU4eXDa4Y3DP9i+Pnh3w+/OfzB8C4r1mqwlYWV3MrFaoLVNKswq1irZKuNVp',
'9YnbD62qrD6ier36yeWKms9axNrK2tHa3drSdbh1hHWS+0TrfOsd5ovc26wrrW+jPrdutr1netH1t325jaDLcZbTPZZobNbJssm102Z2y+sblm89QW2ZrbjrB1tZ1j+4Zt',
'qm2u7Rbb/bZNtp22j2V6MifZFNl8WZvspuyZnZFdgl2h3Q67Wrujdr/Y/SUXyS3kCvlkeah8oXwFWPFkvJNPFlWDLZAwjImRzMheZiRL5hllBmepvIt3SgxePFkpdmRYsJ',
'sM2y7qZETMAFg5bkacnDNyM5OzfJvZAbO2NlGnagV+Dy1SNWJARHO4Om4dYFO6yEhOL27doY5DgNjJOpEb8Ih34i+KmsG2godEnJuJG+dmJqO33EQOt8xdRm8k59zY+uRn',
'SyqXPMW/hb/EN5Mrl3Qt2Z+MMXIMx13IJRnpPQvvEjXjBLQfJ5Tjhj14AdpH7j0otBztV53DDcBPM77MR4tNwV8PBksCvHl4uI9zUBiJxWam5tClg4PC3dxcauTg4D7Ow9',
'PdTQpfzABoZG5uZiqWsEeWrV3+n+TMtO8TUdKFBYltC8+3Xj6ViGZVhb9+IOzSj/dOsv44lFuVOH9xB9rLL4+LSOz+EjmLRjsemTSFRa02R3fuPWHw4IHIetjHTi48nm3z',
'VXn5JRCpCPwpwx8W7WYGMcMYa2Yk8X7I1NxtLOFPbieWjPNwG2supWzI7RyQAknt//0x27gkdGZKakjoksLGjX4Zo0ePbSrcdBQHynljR6V0yayZqakzZ6YUNhb6ZTo7uz',
'ZtLGxEvqFLU2bOTF06q/D4mNEuq3wLmo6hYfGoKv7urCXwIGVpKDxwds6cvPF4I5k7r547/FnRY+DUEzhFRI4KhRsRklSuEAMTDJEglSPhDIQIbIKQJVTUwLinh4cnK0eV',
'CgcOVQcF13WGzm1a+iP+9Z3isWPOfTw5P8A7d1rC8gkesTHn3xsZO8pSbsgVqzpcdybbBkgUB/6KupsW4I8Gf1N0PzHwnek7D1lIjynsY2Z657XPeD921zkL6RDpYGCMNe',
'Tq2Gaqi1QT2Wa1DhKm6/ATLlNszBBEMWtmaiyVO7Du44w9ucyC/PyCyl3bt+8SG/+CvX+9iyf8+gi13LqJzjwkLWOhpULd0s3c2MyUlcg9jN3HsSiWtqqE9mLjh3jizdt4',
'4sPf0dd3fkFfQ0xVwwbxTiA1I2gnEknsgSORwt7eUwSW2J53wuUoyQsfzsCHvVASLvdCYRkojL/5VcuCNlyIstsWtHy1sA1l48I2oBXFrABfUwYaAyOTmcmAFqwVI/Yk+g',
'JPrcX+6CRfhv3ryIc6dJJwXYZvs0+QC2gbcG0G6wt1Kc+WL0Qu7TgPrSMYiegml8bmU2kBSZTIDlA9Z/OrybN7MO13kSt95mYkR/eUSuSK24GTpJ4pvKdaxm6wVrOblY9O',
'iTr/TgNIAehJCIx4ECNl5PCcqoOgpSZ2rJGhsdtYYyNDVkF/yykE3ZnpMT5sltf44IKS4uKSLcXFW/589uzPP58+ZR95hoV5jg8NYSvwt/gCbsXfojHIAxz4mEq8GufhDX',
'g12oTeQuvQJuCrC9ZUAPA1EMIJmZHI3d6NyAkZoAn4EAprRR7K83V8Zkhj0MvOOhIB7wZ8OfA6nOCbydw9GE8PzQJz9wDGeaLfYjHKZA8pM08gC/fEgLL1MeeXLz6XcB0N',
'mpc4vrOuru4sGj1pza5ZuVumTP3Gdey9L+K/XDX5V6BeBJLwBOqvQVdkofIgAmJt1ItY7t67mrWdcXplFfjBs8U/LE76ekFNQ8Pu8vLiim0b5zUnZ38x4xoSFXE2inM7Lj',
'1wGHHBfdzOkg17atakZeS89lqTre31z3OqYZ0mwZjSQQYs1VUE1pUYbqor7E3siK7I7p87d0FVKLJSPuAuKt2qcQVKPEWkUQr8OkNL2DWYEPUiPDFmpkxftoHbdvap6oxT',
'5KjfkSG+8zzrbGhsU8LBz08cnF0Owq/D2wyH4Ef3H+LHtrYXx7oerqpssLcnFkSjGRbMCOiOGgiWdkKWk9wWNIGRjTVHdmp7AZ1xN323zPzy6zF1y3784+kNrHyC5Mg0aD',
'u+kbd9e97GTZtER5rsFfgm/i0xBT//6wn4hUy0Da1BJTaq1Kbq6qZPPz50mIwM4kOqr2I6MiAiK+bqVfcvs3oqd1FnxMs8kRNobj7wF0o1V059hQ4j9hq7RvRBPZcjAGKi',
'Y5LZ5MKyHQWbynbg1rxtT77teLItb+d+jH/5Bffsn7k+e836dTnZ69mzu955Z8+uzUW7w2VH1jV0dDSsOyKTnd/f+sudC5UX0ILVb721es36PJDWOuAmgHJDpKXpBDji6F',
'wYGxGbS4yXm60xkRw4gfC8sjIQS+FtIrWzLkRqf/0H8U/wDfxgxnZ2p0YkqiIQG5KhoYkpaODT/6IB+B2cjgtxhg34crrqeYXal8O6N1KvfaWSV+AO7AUWgBUsC2Cp4wNi',
'WziCR+3LYDAUgonhzuEOarlKwHJlEfkPYM2QO+KzlYe4Od03eRl3Gn+JW46hqhpUBaOOQvF8NleljlCIFsIdxcsIavdNVr+enUJXrg5FE3dESFIkbg53+iiOq8Fxx0hgz8',
'JujuENQYrWjB00kxMX1W+J0yklTsqMIwFOfbNPePQkl/y00IYFcaeSm25MjYua5nC2rQ1tK19QNGeed5TrvGXT/E96jf/yQEh+bMSUcB8X/IREQYwlPs2XizJgxsYRu6ee',
'LtAPE7k7mSyNa6S9M1TbPTyl8MRW+GJsxhusT0nJy0tJWb95q33+nAOXLx8I2zji8LYufAMFIWOPVK8xvjkT8Ht4PlqNJna8ZGV5772Xt+G99/Dv6b7+T06efBLg41vRDH',
'bxOD6G15iaFQ61QN+hzWgjuoS7bgGPsBD5emodBpIITEbNN0RfbHIneMdPn6ELHctUz1I7RHIVzx166YQKcA45DaiBdiugnR54Mlvif9Rqz2k+2Mt0FodMhlb8eXjnvto/',
'H7ybn7cdB6Gmuy/y88sO4i78Nw5gL6hu5JS8W8Qm4UnLc1ck1nz9edE+U/P2yrZ2ulpB811hzoaCVe6VjjqkEDyIhyfvOrMqBt/GLbCps4qpmhlUF3H2zJmzUR/OcHd0RD',
'vRcrQM7XF0bPfxA8dxEV/C3/r5wKiLYBxz1ONg7Md6GBk6yORGJkIfMiN0pKf1Qg8TnwjbTH98EtfhjppuFIiCu7uzRC54O14PHmcHtEewz2bAWnQSb6zRU3Kf5d5UhbNb',
'VCvZU8osYg0D6lR36gAf1hUfBfgDdPDl97h0VSy7SPVeG0ENrFN5Uu96hw+D8Vv9r/Ebyd1lfNjstjfxL/gM8kNWcfVhs+veOHv21NdTFzleReU5wTPRLpROxODu0T5zBm',
'4HIVzAnTYytK2GeCfgJ1DNP7hJssrht7yojXVsa1NdISF+BZv40ok9pyKhKXMB8MV9xwvBh+wC54PPIS9lC/LC52AQ3evq6vg8wE/rucOdBHyQs6fae9BwxZCshLSYr5JL',
'V+B8dvrl5/HNPg9nz97RxvnXKY3xr/dHMWruLmi5Ay0Foy2h3GX9oTrBRjzFQ8sJi8nsbtU+ZQn7sFrVSNpdgXYZdN9CR2Umu9LGdigTRZ1qjx8Bz7PhuT4ZBXhHGDRQNp',
'JHQJDAIh4NOYG79uBnTUBaj33x0kmkUP7Bmby8qvEiAZoZJFtp+CUvRgx60dLDYL0WUWe3G3/xpRN/sduN2INMmMdYdSTEIE2wA6bbROczV1RYvqewcE954eXnKlXXcyWE',
'X/fQDDQM/wpLuBH/ioaiGXgNXg9BziZUiNbj9YQ20b5MqscmOqsRFiFPfBO4e1R6f/PeihIcgo68RCzu6b7fKnJRtW8vKCiruXP9xs+qWsIhfkI5NCK6JrITy3UCNIlUos',
'snWyoZpvfyOeGvqPj8LkMN15YsWg/mhTKGs/E1vCewOZF73ncEhONSchYJHJuQaAviISndfclpZEJDH+0o2Behy+a0XW2YmbPwdBuq7ELiA6pvb2zbsmsre9o0vQYno+wD',
'81VFos7/fLf9BDtP9WjDxrwitd0IgtEoNNEFMb9S6T9DL4WCuPMRYIu5p7HH40pr0nYs/e5L/EK55PuUjIvJe+oyt6V+exINvhnRLKq66D2xYMXCZLmF63efd95ydr4yw7',
'8oZ/mbtkNdmivP/1cB/UKswFfByDQeCwbkwmdg5zbsBAviZaeI7D2YMuDORx1dge6Yks2bsCtyJ19JmEmYdHAoa9MfYpsdEblaNkS/1StgSt3SJXVTp01gfbjdSv20+UO9',
'J070HhqbynUpk++e9vWeMMF70lmgD4uU3y3EOPbEqiM3Nhm90YGDn+HgjjqRE+hyJyOc8tJ5gBVg5GZiQv7B5p6Tny2tu1xfevbmqbZWCOW7/Tk75U9880snLktZRNoZQ7',
'tmzYpEwoqEfxFXwTyGXsWT0c2r+F2ceQ09hbVzkXVTTVHeY/NVuRxRfq3f0dO0BinZX0GpKOUqlpGFnMaWKS+oFrD7CHYFYG/T2kqyMXFHsgbugvIpcDWIfa6yEXWWd6fX',
'lfPbIMRth71ZFuzxJXQPA/EKhPztqPbxYxwlNi39W1nab8dCGLfnjJuVf5Ati7iMgKKBBqumAWYKjKE7x+Kox4/Fpi/+UyrmCY1ArpYvEiSsHjx7Gp1vwNvwuw3oPIzhMi',
'rGmawzlTK24jtwGu0PuOc7ul1wWlgYNJTyj9gucZKWkxtoaDk+IU7Cm9BqTZQs53NAzo4kYtHEEJ7uxORrwwg3dwedEAZUiW32OfD+mtTdh9Dx496frf/om+6/nqONZXFf',
'xiSdiCo+6+Ngy7qtWL5o+eUmxxBVXk3iG6erTnxltTHbY1yjQjFnztgy0vdp6BtkBn0P7xvBIBqm0w2bg4KImNu5qWDjO+9sLNikujPqvaTW3++1Je4Z3djIuvxw7Xrn9z',
'9dY1fPiQJ38yd+gM9Gzi0BoiCVFqBvD2N7pWfXDJS3D9o7ByvxdWSP+NnloTPK5n/cdKI+fvdkLycnNB6ZwjV+5KjTkyfc+rb9tvck4DsH6BpDF4aUb+LKqKQE02Wue6zC',
'RTc2jt6T2HbvfuuicjxkU0FBcXFBwSaug53698OSuZHIG4JJI+QZiQf9cO2n7zuvX2PU9KOAbzNK30ym5tRMMwaQjUSYDz5KeefUoagv05a0xOBufA3ZPv7heSO/bVNBvS',
'EbFy0+dn681zEYhhcyQfrID//nbNWHhyuobEDnFTAGYs/NiDTMtFt8MuG8omPhTJSH1zXiTuT04Wdi0z2zFy8sVbpwHaWhjYcolziQN9Zqjm78acr22j8fVkc0Unc3Lrow',
'r3BL6aZ1hY2PfgupmbugcuqOTaN2p525f/9M6k6XRtar/cqV9var1/ANJVYOtzw6elTVYb3cuFg0AUmQHpoQEb1Nw7+lmn9gW+ie7h6oivKWx5euyCtubHStzfjoQ/aoKo',
'g9umvLsY9UhWJTVXX8wttkBA1Awx9oDKB7V22MAfsLObjZKyhNuQyl4dvIprGRj1e6lJZyU9ipZMPCNOEIzhBaDibxhogGGqZiYYtNzy2jIFB89tkH+H40KIApd7e0e3PL',
'5Ypc8Qf3CO8Pod8Gqvd9oo2HzejOLTwdQZi5oKhZbKrMQR04WhXATsnDJJXEVEK7gWIbyi1IGjqC1Uk6Z9fFzLty74PP8VV0E+1c+1bF919xf28lURHZncMckd0IlYuRrq',
'x6hWZGH7LVdkuCCtNr3QPCvGu9gmZ4HTwoW+gbsoh7FDitA99UZbF5f2Tk3FWtY/MeLyd/+fj4ib4BmtmAfv4xG2b/x2zw8bVkMlh6ehFItUnady+se3LDJm/eunVzydat',
'Jfeed92/19XF3bz2Q+f1650/XKvA3+GfQXKXkTOyQdZoNMki4gg+HGjSdWqvZUdtWPoYnKzjx8k6/e331qQ96HGhYGwKS1QXxANL50bir/F9sC0XItEztb0hHOM5vA3sCQ',
'XrpbPoUV+Nh+AopLCgoKiooKCQHea8Z9GFe7+3gvU6fpx1ItRg0avemTsPeYIhMEcTIueW/t1FjPVSkGk+cE/O8hz6CVTK53uvmVF/FLg+le//pgeXPXrkj9+oLvPx17PW',
'2Y2AGekEeYqh9SuiE7FudOLCas4auIuzKufm5sQeCyoqefjd3KNLF58MX7Pxmd60/e9ea42u4b2OjB49e25wkNxgWEVuzQm5vNndfeG89a6sgU3ZugOfyIiG5gPPeqJ9gh',
'4Qg9JHTY3YJFSF4+Iy22+31xG7ItqHvypVVa5dUFbTxsaXokkaq23JxxEaQuRCY3mNkXVoaUxZvuGd48ddP1xRX4tqiTIRVWKzu6tqExJvEwqJwEUaH09369T7yxNPoWko',
'4BRe+Qcs5HCuvrtSG5sAnk5sgkhscrSlcm9Vy1H88vBnDYehQRY7RdXMFXVXskmqcmgXAu0KoN0gcr5APTNZw3wcTkeNnRCCHu9EjTj9G+SIFHy86ndVIzqNfdlA1gKnoB',
'3QPhn0Mg/aG5NzYQlLQjFqOjwJGbCQo6cvtBv9Tuz2tNmx0/GsFhSCpreg5MxT+MWE0NDyuDN8qHI7l0pG0EbOG/gFfSOXO5yzKpfNV56AeGgHv6BW+dPOOs4esG/gBu4p',
'2J0RYLPopPSeC1InL/gBYVdN1gX31O/vD1M2T5pUsvTDv/0CNr8esyw9+vXNzVu33/hz16rSlTsf3ygrjdzyYu+WoZZbKl6URjCINcZWbLPYqvc8vF5s9YLEYX37l6o7JS',
'f4Gi6ETrVcyOU3/EsiotOXxUSU+E/6uzalxM+vJKX270nNUSUvKrZYDt2y90VJVGnZjcc7V5au2vXnje30pAY95LM5fcaS6D1RGAUJcnVjFylRKD47uHRW9ArzQTMXu80q',
'mRH67lz3xCB9s1XzA4o4/UPenm4DeZmFt++hiR7mNqKBnj4kR4WL2XaYNY6eQbm7mXFGoDJGLN9GklTcAoy7HdlStAi/p1pBfEQnPsfbi3Yzw0juBdEsjwd14mDqjRwY93',
'GMJ2i1uTkSskO8/dQNvr75U2Zs8Fp8GyuR5D+LvTbg/7xdWcm71782ileWi5xfq7ex4/DPyNoceXW/RD4myAbfhhjViYvXf9jY+EC9a4yCXYll77o30+yfyRpyExY77z9p',
'3dSN61AGLmGHKt0enjt3/ebkItHRxlGjPvvyail2qatDHaWP8EsrGMlFpoUP4aeAvrv09fScp1QiZK6kEoWwoZAohKSMp8JTSgXOJa6Nic7NjY5Za1ETXWNtZW1TG1czOm',
'bsmPgx1bE1NlY2wne30XFsfnROTnRs7ltoVc38Gtf5Y8bGONfEHbSxthr+fnSN2/zRY+c717xRC991InwLzRqHMFyiE8MoYLiaiP+oEp+NQNtwehtegUqjcdtfwg5A1Z6+',
'S56uesrqp8t3pcOcgfZWsc0wZ9rMoomgw/X1ot2qgWyXkiG/yeye6/Hh9UHOY5lJOhZWqs6RSf5hZ4VNYG/GCtFJl9LDQa52bqlXQsrFYQbfb4iZ7zPhm49nvBcZud0rac',
'UNix/Wz4+Z6H3+YOAeXDLJp+T5pImloqPVCkXY9OiMIXpZ5YuiN7uPS/PbUmtlBdDwkKQcg9V7kmJKXUctn7Zhv5Wq0znaBdwP+b2J5E59RQHcNrGh5rzVTG5Poh3ftja0',
'qbVVbNja2krO3xgmF3ZtoRA5uzIzdD2IJg7VnC4q7MRCxq13ezmOLDiFJluo3WeSwXt4cPET0idkFm7eMH7x2HErfY60f/uZz8ozSz8PDp45Mzjk8yVLPw8JCQ4JDv48Zd',
'216OjYmJiYa2/lXoM/sdHR13iX1OGWO9a/vWXosGSp+fn6j1vNDwQFBzcuTT4WHEJ+oH1jcHDQ4ujomJ+EZoRA7ls/xURHMxwyQJ3caZizgaA9jrpRRv/Nju55LTGqbP3W',
'tZGBS/JLS13z5+TtPFF/NCvTLXeqf6FvY70qha1QJfJh/qF+M0szrHyw3/LJUzatytvMR8fKZeuGD69X6ecQjcliSiBeltPcMEgU0WNk4Q8bQuIW7MS9J/zl5afwU/z0FK',
'qag6q0H6l1ywDrFkfPm6imR/GyWmUhF4fNkO//zK/x2jklJyLjiA9DmiNUqVSuUJ+NSOVm6lzIv0yg9F8mnI0q2xoVZjLBYWVpiquPs+eG35OSooOC/F8xjW+9Yrr5kAWL',
'ps83EE31bjoUNhL/yB4N/93Dd5I7injVXC5+1ayTmMlHtIArE3Vpx+/DRqjqRF3bieY7cZlcDcy+AVhkMnZtLAQDk+oEnGzy5MxRzi5NGwuPNBbMSk+bFbZiueix62jnlV',
'PePnakcGNTXnpYWOqy0FnLyaxGkRM+vgx6HMIwnqRPnVwpTRKwidqEaV0dX4aP1eEjKKQOzQB+p7AVXC7NUVF+3V+VLEB3ULnq7G+LZifOcV3hOznbe0t9UBZnsHLZzwlr',
'3HxCRozIHT68IMUrKxPoBbAlXIVODlD8f+QACQp7PW5h86cTVnpPW+G86M1laVOC5i+Ijxy13Hta5thttVF8vFlq2NqNZqbZlsNm+weFpPpOHO9rIc02Mn5z4fT50Od1/h',
'HXpD5hgPiJffo1PlFODhhILIfD+X3gM237xXK6hkTtOIxaGlenr8s7bisbYDXcwd9uUrD+6IJ5setG4XCxvipwy666GrZEWek9fuDg7VLzWbPCQkPCVORkfGmPNz0pFvZw',
'QjEIPXBjA9CXJadKrjxEIlHn30lim79vc6FGNxqbfyfZZtaFvcvF62abuXjc3tNDDlU4sA6GYhROohYUBXNUJrpJMxhuRhJ3Tzd65LP04s2773yjusINZBc6rlKonJYBra',
'dgYW6oz2At++9jetWNIzYlOSkjI2lRZsbiurbWj+pa2z5iq1WxopyK4uLyvZuKKzJvnTxx8+aJk7eU8TnkrASsR6zWelDbgeyFP2wh6sROYDcu4wmaT7wcx83Bcadg169/',
'qvcj09PDWOInfLQ4x1CBEplGZYShgsnGmKmA8S5j+jxXwx0I3FDCrGQuKCO0zzfrtM/osdK0J5zi5dwNmHMZrYJz0+S7+vkOIS/m7uFuAkrJ2r8iDTbVgT3T2sq2vzIP5h',
'fui3ipCTLAwBGNBSQphg5kn2soQSnQb+Yr4Ev6wNO08NQ+8DgtfGkfeKgWnkzgMNtqOjDbBjTG04mMJJwM6SZxhbQXx8zz9YuM8vWdt5vkv7ZPmFy5cuUBP29UL6TBxNG+',
'8yIn+0ZFKVV6XJgse8bKAwdWznhzxMsimhij1bZ8Bej6EOHcRpsGMgLiSMrJjPgifAi54Ytokeo2rlzUiMpXtyJ3bWIIrcN58AV0nYdxgaaTzBfMcHgi6DuJywFKM01Uag',
'5qaRpTKfSHL+kDT9PCU/vAQ7XwZDWcZnYonZF9Zqs/fEkfeJoWntoHHqqFC7PCkr0GzZTpk3M/pEm1gZYZIU0CjkgMHaFJtxP4I9yRm4tchEwc0sMvRJ2azBt7dgeb87JD',
'SMlhpx2q20RqJC8jWQD9umi1JBvgNP9C+R/TZ1z94Uv6wNO08NQ+8DgtfGkfeKgWLowXMTuZQ7w3H05PkxDyREiKkAShnSgOV61CceiNVbgKxa7C7+NqsBixKC4TvpNfuD',
'qL4JB4T6+niT8slsLOxoRxor6DHJOA0UJIyAKamiNzYzPhQJaE+Ky7cLzhKUUZ1vnh5YUDB6puoBdDMyL25ovYE45Oz1XZR3xKFzfY2j9XZnzsVZyIXEKjSXJp2SZnVRvb',
'Pvt1/BPeGLaI/XU2BtbW4PWzZ7cFKGcg8T6S3ZkTdiEIxkyzGFR2Hn1k2h++pA88TQtP7QMP1cKT/2EhJvTSAR0iulVC8wdmOvkuMP9utmQ5y0jGq+z+vr179+GQVoz4Fy',
'+wErfyMtVfb+fn56Mj+Ml31653YHpSeRL6zoVdL2iLiZCRF//LWYxD7yZBOO45+d2P33zHvlfrOXXCrvRbZ6YVTgkp8E5dP3n11NiYqgo2e0X2yhP8is5LN340WJvoOnOk',
'/fzqVeUNQy2qbawTZk9/I0gxvmDW+o/kKSvzi7vLyNqmp/3iJBjvFOLhmMnMq6CrXgVFATpQTy00RAdqqKWQ3AuViLW4QbTS3xGgh/kc8KcmzFSyk+49hVMXnZiJZP0chu',
'JfgnNhi2nE2rh+uHre3Ngg9MfMyMgQ9ADCYbRo+ay8sZ5vT1+2w1ZRkFDx/vlTmQvjxr89aebbE2PW2svenndoG2oKjF4xL6EAlY7bVbBpr1PpELndga1ubvWOTnNCw8Lq',
'qz/6LGr1eidFrVzm6+cz5Q98CUbVAlbTns8hVjOZjNWfjpWe2VNpBQiSNXgVdNWroChAB2qoxU2mUOGMmuD+V2fG+kNXvQqqnjEBaqjFTbZgNOetoJXD6E5IvbY1h5awfx',
'MpPBVuUnspp7PzI8HxxbNHu+/+0t19y04+RBbogO9Z/3H0+jokkx2Sz3F+d8/2TUXbJ4hcvsdvn4dty4/oNYg6BqDXWNZ53qjYBWHnt8UtwNLBg787d+b7788sayP8CSf5',
'RKNm6WiUwB8ZS5jOuPtDV70Kqh63APXUQnXpGmopJFOdjGJ2QhSfTnfFg4R9MTnHF5F4/tEz+MFLSSiPip9xV7uq6gDPpaeS38mf1FpMpF3D2sNWCSxmjZUkBwIa68mlYd',
'cRiyaXbNUPlC+cWrzDwKBY4dh1L3HfxLL51SNHdd1fvNerMpbTV3W4uFzvHJf+yZjRP7SOWTW9cnrLCnKy7Tn+8MyWKafXkNNu74lNIUSG5MyUSiBCR1r9oateBVVLS4Aa',
'anGFFUxPKilutIaC5lxdbKNzrm70/32uLrmganjlwbq2V0NtrwIvgq0eA+tuJYXa9doYURdAQyl0ig4u+AGU3h9XHAjQWbq4sJ5viTohng1G53SxAb6Sz6HweTr4tF6I+o',
'wRap8RTX0JzTZSWfkLsoruxV4FVFKZt9BabZSlxUYB0b1WRMAOA+jyYKYfLsgDhQX3x03T8pH2aj7QdMoHrUSSLAaovYDd04DSBasjshWbAX+L2Qk9nwD1aZS6OoqC71sZ',
'TU6yA+yFUE1Jj9jczGil57/nPnE7cm08derVGVDknr1jR/bLl6/OgmrjRzrfxmTUDr12VphvOYEG6MSsdL774wrzbdAfl8r4H7hUxrq4oAOhat1wZXSwAR4l6AapAu5He7',
'E25k1jRmikDNQTtBZ/urwboLTyCrhWCHEKUHlNTT2QNxZ0g9IOpFANNoxxLNMPt1endXHpGP+BS8eoi6tqIfVfwMVcZn3P7X7YoQCfwxih0Vp8WsnVh2tHRmvH+8BnUM2B',
'HTZ/iVbiSMlZrZlWcYzobt3dTQqgolZ2ZGthYavqh9aNG+GzqPPWrVvV3Z+QcjB+dnX1rVsQSQWoc76W/bKM5FTbzUxTQ6zNNubmNqIEvP+fOceu6jVrqvFXJPGo3UfEAd',
'9L1XyP1PGb4D+I5wDof5le7F4rpIOrY4V0cXutkC7d3hlT44JGiUHThN2MGAUHUFyA+otNARokQMN66dLZ1dAF6VC6sO8e0CeXrZPH1uSwGbanp+dX/hvRj4wpOZmxp/Gn',
'p6ZgTkKTJprSFpI0YDf7vD09QeGAVagkMLB28mQ/lTM7/5dfVO//8ovfw9mzg4I11XSZmebmohZNVR7f042D+XfUeXL6Fs4/c+UiDa9y0A05951u5ly5BG1Ao1TGyOnBg1',
'27bHTz6F/25uNBIqT6r1Wte2PoHDpRqZI8fW3vSkKC5SxS3SLVfgCduxQD7igKfQjQBpA1WQdbewg8hNFm64Vs379n6/l47KKbrQd650ltoCQV6C3Bf6A3gZ4z7Ydm8QV4',
'zwEKn0nhV6D/DIGrJNyLDdCBYhsC7ca9uELdIbHazKGetD60NwI2wFFlz/F/4jNZKJ7Z2Af/JMEH+BVmq4DPoJ4udV3jYDpme6lwqAkbvyttyDsUZ5Eix21ht0Wdqt3X0/',
'Ej1Z061nvpsn3q3CipUTDrU6MgUlCXQShpaxU6w1AOLVjwDsOZ6qoFNKIjHemxLltVzdeX4T+0u+0UIi1GRmfWpdfaiIn3W2UqAegswSeCtAIEGY7EvbgAtaQR+9wxuBeX',
'Uk7T7uPTmJGC/6SUk7Tx6PSnBBuCZn4nXYmzcgj2NDyDakcZxCo+oiekzg4ZmUoExSZrqV8NhDHvMy/6g4sHo51HrVpbsru11aPxrRPHud+UopYlSysmTXqX+++RD6+1KS',
'NFnV+nr8LdNBMOtElVhe2raEs0xD2BuhSMHiF/HMiD7QuY1tjoGh6e8VH462D4PIQe3mJbd22JiVUXXYx1XbGc0Z4q9NqzMb1Rso49C2MY3RMLtT3TwdWxZ7q4ECWhFf/A',
'JetxtgYXPAT4Ff40aJshrdQyk5F3M4xlmqMtZCc2MgRNMuJPq97HV589he3EHFyOAnEjxp8WF3/qU1eHZqIKdAAFC8dcfN6vuBrX3AUTBN7HAPpsovtNc2Y8fUNIs80krz',
'kYko9AH8n+ueHUbIeETSYvZcMiImfimqQ5YcmLw8K4emy2cHlYvot3btCCsjHj1od/UVf3xbz1LvYbIj/Zym4b5DBgW2HRPifV/do/kfzQQfwX/usgKgx/f6u7W72T49Qp',
'/pNJaRkpMZs0edJk2FwSCdG6VUHfez6n+u5GJEerQTaBvisgBr/EEI2fSyVaCrrdIWj8SqzFtgVovqDxm3AvLqVNohM3dQx4hkQnQqUJ1fi5OhEjrW9Vr7yhlJNxlAqtLB',
'FW3jDCRzjTi63r/XWxe2MZNTb4tSDh5JFC1bjEBwo7a11cNWUHgkXXqXB2o6XMhAtcU2wXoFFF5SHQcKfQfIDqifYRaDaBvi7gkkpaStldTVlMKdMqFvFbAH+dwhcjEvf2',
'Vt4O0a2pp3ZNqMBFA/DzNvwc/pBKXNWXdapT7OQ61k+3MsZSXRlDQiAzrYF0JyFMb4XM3btCjczdu9oqmXtb7tEyGfhL6mS0Z1q6cYuHzk6uN26JYHqxe9e5Dq7OOtfF7V',
'3nunR713k/XHqyJkZBAxdrca9q95hBQy7rntqpbYJH3/2o2iao6eJFpH5ZSzd4+GP12cthPk5NVwJR+S6KTSt51Lsshu6yxvfCia6C9hFdjdLZHepiT9DZ7VJsfYIdrYMd',
'qj0j1Jwd0qph9fqwpPL3pvi0JkdYHxGESgyFCti9Ebkubm9ErotLKHj30XgBm2h8jEbjdSo5hwhRsbqAk5bRsDXq8s0bHQtn8i3dPkL15p7Zgq/8Wb0G5+quQYAKa3Cuzh',
'p0AaiwqubqriqACqtq7jz1qgJ+aG0kxEuD+0d7ulWRvTWRYH/auXOcM/hWMYqiGTdH/hGJ2mjls5uJXCGRszZlXcWfHykmacVnz/rjcG5STzeOtekqPvJ5cRf/CK1+9gxv',
'InbQReTIVYHOihH1+SwS+bOXQN5iRD0PiuBvczkSsbrq0LS3rkGiW+WSs39Vxv79Gav250T5+UVG+vlFiZ5mVFZmEKBvVKTf5Mgo4KgaZ3Lgv0hmRub2z4QXa5jl7OTpYT',
'vJxsHfek2Gu0+UzejRQ4YUDBwYOX/MEmhvI7LiGsSe1EKoS5bkwiGnOtXuRkmxiV5mMgOHEexalBSj8LOHb4MVI1Au/SaK9jQ1CZq9cftwmeYDSCGKf8RLQW/EZIX9zyw5',
'0khM/eaxTr/IJWtQfOTr8QZZg/Zt27pPHBgSFBRSunUrgzRSFXKpZnIWXbwoNvyGyFfds6bahJOTm5XW3Spi9T97USiUoZNMMeoEHbAT2VIasBNgz/x54l3uHDl4QWi36m',
'f2bo83eSYiNLrg2Vl8EJ6oc7VU5q84TmdPjndf/aZz5Ci7YJcJPqNGTVoyZl6Mvn6+0ZAxo60jfWgNIHrId7DZhDYxy6Ryns0u+Z9PNPpK33OWu5uA6rUpz5Qv4M61o7fw',
'hv4Y9G1F1lV5ds8CseklzZvQ/9e70ixzGWhgSmOQph8R/c1VkN6wOz63R9Nnu7pnoZVS24pSthfel2QIB9idtFXzcemSti98m1NSbv5HKzVv7Zq3uZmqHm/eRXhHA7n1ek',
'PW8FO0DL/7KX4XLRN14tg93e/z8/fo4JvQ96XVntOdvAtGvSnvom5E7k+FPzdxLKouZ232wPKK3aO6DZLzRR3cNl5Ge9V52xv51ueu/fhQ7tqP2JdrP6rPWfvxRyT6g3XO',
'r6NvlUvUOzg5Ut9hSiXnplTiJOFFc83NEF2lb63splUdlowC4iVfJhhaK5D0n/9rgvpt83+B/xt+oD1vqlAGvjHNf8HCqdPeyP5g9eqag1nZ1SEJ06YlACQhuyZ7dU3N6u',
'waTj9hWkD8An8BdPAggFjPBLQ/XhU0PWHhtKkLE6ZlfwCItTXc5WkJCRRA0WoPquymJyRMpwBCqpasmWimhHOhlQSaKiTO5R9lR8SeAV62Gk8oNEDVryovIOtcn63gSmiN',
'BLUbZF9vJgdHhJCMzapateodnIvy8SNkLLqp+jW9qSkb9H8hqeIjZ5WixyQeNTFmev8jB4lMIqSApPDBvNeQMpzc081BAfbU08NT7nl5DDK+GV4WNGV/6LuHLNBtVxzAAp',
'toiSu+LD1UNmvv1MDtr/+M/xh1yDUTIRae1bhyR5Alkr02st3H/9tvUk2dRw9xkC5r65g6qX3ka8gWDV+mb+o8xNjFZFAqybdzZXwSfdfKlL4nQQ+bZCZEi+j/USI3Qker',
'VlaxR4py61dWeNasEHXG4eHol7geGJyqGf1MBWvNThHqZNhfNXUyYAVtv14hlMnQqjwDbpvo6qur8kRX29raGHWlTbTabhMKlU13y0Vd+AVDvYcB1yC6R/eh6hSEmXycjv',
'twd9f6j6E2+vLXche/PsLH1ctcPsTmtVw2KdxuoshLZjBorLN40ZuGltaD9d0cxYlZhoR2NnmHSN2viZxjXc+W3yH9Ij3y1BO4Khe90PXWA7+4vLnmg82iF7iroaE/jtpb',
'D7y8+YOazZfBWw9saMCk4h2iqBd8NLeU9ENWmpsFPwJAqUicSj2TOIeDaP2Vnkk/cc7chCFZg/Zv3bpPkubh5Tk+K2cN8UzifPaSJEzXM0nCLlLPJF7Im0tSej0TR+5YkO',
'gauCUpZHSCZH3EFVyZZExfbykZA96S+X8osszn',
].join('')
