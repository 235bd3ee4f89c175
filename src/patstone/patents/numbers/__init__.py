"""Publication and application numbers, however a source writes them, as one canonical form.

A publication's canonical form is country, number and kind (`US10012345B2`); an application's has a slash in it
(`US10/012345`), so that the two can never collide. What can be read in two ways is ambiguous and has no canonical
form: kind, date and role narrow the readings, nothing is ever guessed. What offices do is in the tables beside.
"""

from patstone.patents.numbers.columns import Columns, identify_all
from patstone.patents.numbers.identify import canonical, identify
from patstone.patents.numbers.reading import Identified, Reading, Role

__all__ = ["Columns", "Identified", "Reading", "Role", "canonical", "identify", "identify_all"]
