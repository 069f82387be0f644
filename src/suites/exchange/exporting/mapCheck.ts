import type { SuiteCheck, SuiteJudge } from '../../suite.ts';

/** An assertion of promptfoo. */
type Assertion = Readonly<Record<string, unknown>>;

/**
 * Returns the assertion of promptfoo that is the same as a check; `undefined` if there is none.
 *
 * @param output the only output that assertions can check
 */
export function mapCheck({ kind, fields }: SuiteCheck, output: string): Assertion | undefined {
	const mapped = isMappable(fields, output) ? mapKind(kind, fields) : undefined;
	if (!mapped) {
		return undefined;
	}
	const { name, weight, not } = fields;
	return {
		...mapped,
		type: `${not === true ? 'not-' : ''}${String(mapped['type'])}`,
		...(name !== undefined && { metric: name }),
		...(weight !== undefined && { weight }),
	};
}

/** Returns false for checks of nodes, tools and other outputs, and for those that ignore spaces. */
function isMappable(fields: SuiteCheck['fields'], output: string): boolean {
	return (
		!['node', 'tool', 'inputs', 'trim'].some(name => name in fields) && (fields['output'] === undefined || fields['output'] === output)
	);
}

function mapKind(kind: SuiteCheck['kind'], fields: SuiteCheck['fields']): Assertion | undefined {
	const value = fields[kind];
	const ignoresCase = fields['ignoreCase'] === true;
	const isWhole = fields['output'] === undefined;
	const max = typeof value === 'object' && value !== null && !('min' in value) ? (value as { readonly max?: number }).max : undefined;
	if (kind === 'seconds' || kind === 'cost') {
		return max === undefined ? undefined : { type: kind === 'cost' ? 'cost' : 'latency', threshold: kind === 'cost' ? max : max * 1000 };
	}
	if (kind === 'tools') {
		const { called, ...others } = value as { readonly called?: readonly string[] };
		return called && Object.keys(others).length === 0 ? { type: 'trajectory:tool-used', value: called } : undefined;
	}
	// without an output, a check is about all of them
	if (isWhole) {
		return undefined;
	}
	const icase = ignoresCase ? 'i' : '';
	switch (kind) {
		case 'contains':
			return typeof value === 'string' ? { type: `${icase}contains`, value } : undefined;
		case 'containsAll':
			return { type: `${icase}contains-all`, value };
		case 'judge': {
			const { rubric, atLeast } = value as SuiteJudge;
			return { type: 'llm-rubric', value: rubric, ...(atLeast !== undefined && { threshold: atLeast }) };
		}
		case 'schema':
			return { type: 'is-json', value };
	}
	const exact = { equals: 'equals', startsWith: 'starts-with', endsWith: 'ends-with', matches: 'regex' }[kind as string];
	return exact !== undefined && !ignoresCase ? { type: exact, value } : undefined;
}
