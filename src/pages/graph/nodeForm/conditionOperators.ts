const inText = ['contains', 'not contains', 'start with', 'end with', 'is', 'is not', 'empty', 'not empty', 'in', 'not in'];
const ofNumber = ['=', '≠', '>', '<', '≥', '≤', 'empty', 'not empty', 'null', 'not null'];
const inList = ['contains', 'not contains', 'all of', 'empty', 'not empty'];

/** What a value of a type can be compared by, in the order in which it is offered (workflow DSL, table of operators); other types take all. */
const byType: Readonly<Record<string, readonly string[]>> = {
	string: inText,
	secret: inText,
	number: ofNumber,
	boolean: ['is', 'is not', 'null', 'not null'],
	object: ['empty', 'not empty', 'null', 'not null'],
	file: ['exists', 'not exists'],
};

/** Those of `known` that can compare a value of this type; all of them where the type is not known, or nothing is left. */
export function operatorsFor(type: string, known: readonly string[]): readonly string[] {
	const own = type.startsWith('array') ? inList : (byType[type] ?? known);
	const found = own.filter(operator => known.includes(operator));
	return found.length > 0 ? found : known;
}
