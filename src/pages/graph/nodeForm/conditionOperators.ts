const inText = ['contains', 'not contains', 'start with', 'end with', 'is', 'is not', 'empty', 'not empty', 'in', 'not in'];
const ofNumber = ['=', '≠', '>', '<', '≥', '≤', 'empty', 'not empty', 'null', 'not null'];
const inList = ['contains', 'not contains', 'all of', 'empty', 'not empty'];

/** Operators by type of the variable, in the order in which they are offered (workflow DSL, table of operators). Other types allow all. */
const byType: Readonly<Record<string, readonly string[]>> = {
	string: inText,
	secret: inText,
	number: ofNumber,
	boolean: ['is', 'is not', 'null', 'not null'],
	object: ['empty', 'not empty', 'null', 'not null'],
	file: ['exists', 'not exists'],
};

/** Returns the operators of `known` that fit a type; all of them if the type is unknown or none fits. */
export function getOperators(type: string, known: readonly string[]): readonly string[] {
	const own = type.startsWith('array') ? inList : (byType[type] ?? known);
	const found = own.filter(operator => known.includes(operator));
	return found.length > 0 ? found : known;
}
