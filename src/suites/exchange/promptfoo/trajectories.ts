import { getField, isRecord } from '#base/records/plainValues.ts';

/** Maps an assertion about tool calls; `unknown` for other kinds. */
export function mapTrajectory(
	kind: string,
	value: unknown,
	isNegated: boolean,
): readonly Readonly<Record<string, unknown>>[] | 'unknown' | 'invalid' {
	switch (kind) {
		case 'trajectory:tool-used':
			return mapUse(value, isNegated);
		case 'trajectory:tool-sequence':
			return mapSequence(value);
		case 'trajectory:tool-args-match':
			return mapArguments(value);
		default:
			return 'unknown';
	}
}

function mapUse(value: unknown, isNegated: boolean) {
	if (isRecord(value)) {
		const [name, min, max] = ['name', 'min', 'max'].map(field => value[field]);
		const isCount = typeof name === 'string' && hasOnly(value, ['name', 'min', 'max']);
		const range = { min: typeof min === 'number' ? min : 1, ...(typeof max === 'number' && { max }) };
		return isCount ? [{ tools: { times: { [name]: range } } }] : 'invalid';
	}
	const names = typeof value === 'string' ? [value] : value;
	if (!isNameList(names)) {
		return 'invalid';
	}
	// negated, none of the tools may be called
	return [isNegated ? { tools: { never: names }, not: true } : { tools: { called: names } }];
}

function mapSequence(value: unknown) {
	const { steps, mode = 'in_order' } = (Array.isArray(value) ? { steps: value } : isRecord(value) ? value : {}) as {
		readonly steps?: unknown;
		readonly mode?: unknown;
	};
	const names = Array.isArray(steps) ? steps.map(step => (isRecord(step) && hasOnly(step, ['name']) ? step['name'] : step)) : undefined;
	if (!isNameList(names) || (mode !== 'in_order' && mode !== 'exact')) {
		return 'invalid';
	}
	return [mode === 'exact' ? { trajectory: { calls: names.map(tool => ({ tool })) } } : { tools: { order: names } }];
}

function mapArguments(value: unknown) {
	const [tool, given] = [getField(value, 'name'), getField(value, 'args') ?? getField(value, 'arguments')];
	const mode = getField(value, 'mode') ?? 'partial';
	if (typeof tool !== 'string' || !isRecord(given) || !hasOnly(value as object, ['name', 'args', 'arguments', 'mode'])) {
		return 'invalid';
	}
	if (mode === 'exact') {
		return [{ tool, equals: given }];
	}
	// the nested parts of arguments must be equal in suites
	const isFlat = Object.values(given).every(each => typeof each !== 'object' || each === null);
	return isFlat && mode === 'partial'
		? [{ trajectory: { match: 'superset', arguments: 'superset', calls: [{ tool, arguments: given }] } }]
		: 'invalid';
}

function hasOnly(value: object, names: readonly string[]): boolean {
	return Object.keys(value).every(name => names.includes(name));
}

function isNameList(names: unknown): names is readonly string[] {
	return Array.isArray(names) && names.length > 0 && names.every(name => typeof name === 'string' && name !== '');
}
