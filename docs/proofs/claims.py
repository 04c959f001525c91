"""claims: how the check_*.py here read sources, write bounds and fail."""
import pathlib
import re
import sys
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNIT = Fraction(1, 2**53)         # largest relative rounding error of a double


def require(holds, what):
    if not holds:
        sys.exit(f'{pathlib.Path(sys.argv[0]).name}: does not hold: {what}')


def round_up(x, places):
    scaled = -(-x.numerator * 10**places // x.denominator)
    return f'{scaled // 10**places}.{scaled % 10**places:0{places}d}'


def words_of(path):
    """A source as one line, without the marks of comments."""
    return re.sub(r'\s*\n\s*(?://+)?\s*', ' ', (ROOT / path).read_text())


def number_in(path, pattern):
    found = re.findall(pattern, words_of(path))
    require(len(set(found)) == 1, f'{path} has one {pattern}')
    return int(found[0], 0)
