"""Units of measure and currencies as texts write them, in one place: patterns by what they measure, without word borders."""

import re

CURRENCY = (
    r"(?:dollars?|pounds?|euros?|francs?|shillings?|pence|pennies|farthings?|crowns?|marks?|guineas?|cents?|yen|yuan|rupees?|r(?:o?u)bles?|lir[ae]|pesos?"
    r"|kron(?:a|e|or|er|ur)|zlotys?|florins?|ducats?|guilders?|dinars?|USD|EUR|GBP|CHF)"
)
SIGNS = r"[$\u00a3\u20ac\u00a5\u20b9]"
"""Before a sum in digits."""

LENGTH = (
    r"inch(?:es)?|f(?:oo|ee)t|yards?|miles?|(?:kilo|centi|milli|micro|nano)?met(?:er|re)s?|furlongs?|fathoms?|leagues?|light-years?"
    r"|kms?|cm|mm|ft|yds?|mi|m"
)
TIME = r"seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|years?|decades?|centur(?:y|ies)|generations?|secs?|mins?|hrs?|yrs?"
WEIGHT = r"ounces?|pounds?|tons?|tonnes?|(?:kilo|milli)?grams?|kilos?|stone|hundredweight|carats?|kgs?|mg|lbs?|oz|g|t"
AREA = (
    r"acres?|hectares?|square (?:inch(?:es)?|f(?:oo|ee)t|yards?|miles?|(?:kilo|centi)?met(?:er|re)s?|km|m)|sq\.? ?(?:ft|mi|km|yd|m)|(?:km|cm|m)[2\u00b2]|ha"
)
VOLUME = (
    r"(?:milli|centi)?lit(?:er|re)s?|gallons?|pints?|quarts?|barrels?|bushels?|cubic (?:inch(?:es)?|f(?:oo|ee)t|yards?|(?:centi)?met(?:er|re)s?)"
    r"|(?:cm|m)[3\u00b3]|ml|cl|l"
)
SPEED = r"(?:miles|kilomet(?:er|re)s|met(?:er|re)s) (?:an|per) (?:hour|second)|knots?|mph|kph|km/h|m/s"
MEMORY = r"(?:kilo|mega|giga|tera|peta)?(?:bytes?|bits?)|[KMGTP]i?B"
DEGREES = r"degrees?(?: (?:Celsius|Fahrenheit|centigrade))?|\u00b0 ?[CF]?"
POWER = r"(?:kilo|mega|giga)?(?:watts?|volts?|hertz|joules?|amperes?|amps?)|horsepower|[kMG]?(?:W|Hz|V)|mAh|hp"
COUNTED = r"times|per ?cent|votes?|pages?|stor(?:y|ies|eys?)"
"""What is no measure of a thing, and belongs to its number all the same."""

ANY = "|".join((SPEED, AREA, VOLUME, LENGTH, TIME, WEIGHT, MEMORY, DEGREES, POWER, COUNTED))
"""All of these, the longer ones first where one begins like another."""
UNIT = re.compile(rf"(?:{'|'.join((SPEED, AREA, VOLUME, LENGTH, TIME, WEIGHT, MEMORY))})(?!\w)")
"""A unit of measure: a number before it is none of a name (`Iron Bridge 300 metres`)."""
