import type { ModelRequest } from '../../run/engineTypes.ts';
import { createTextResolver, splitTemplate, type TextResolver } from '../../variables/references.ts';
import type { VariablePool } from '../../variables/variables.ts';

/** Names that files use for the maximum tokens of a reply. */
const maxTokenNames = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_tokens_to_sample'];

/**
 * Converts `completion_params` of a model for a request. Parameters common to all services get separate fields. The model's service applies
 * the others or returns a warning. References in values are resolved; a value that is a single reference keeps the variable's type.
 * @param variables absent if values contain no references
 */
export function readCompletionParameters(given: Readonly<Record<string, unknown>>, variables?: VariablePool): Partial<ModelRequest> {
	const resolve = variables && createTextResolver(variables);
	const values = new Map(
		Object.entries(given)
			.map(([name, value]) => [name, variables && resolve ? fillParameter(value, variables, resolve) : value] as const)
			.filter(([, value]) => value !== null && value !== undefined && value !== ''),
	);
	const takeNumber = (names: readonly string[]): number | undefined => {
		const name = names.find(each => parseParameterNumber(values.get(each)) !== undefined);
		const number = name === undefined ? undefined : parseParameterNumber(values.get(name));
		if (name !== undefined) {
			values.delete(name);
		}
		return number;
	};
	const maxTokens = takeNumber(maxTokenNames);
	const temperature = takeNumber(['temperature']);
	const topP = takeNumber(['top_p']);
	const topK = takeNumber(['top_k']);
	const stop = [values.get('stop') ?? []].flat().map(String);
	values.delete('stop');
	return {
		...(maxTokens !== undefined && { maxTokens }),
		...(temperature !== undefined && { temperature }),
		...(topP !== undefined && { topP }),
		...(topK !== undefined && { topK }),
		...(stop.length > 0 && { stop }),
		...(values.size > 0 && { parameters: Object.fromEntries(values) }),
	};
}

function fillParameter(value: unknown, variables: VariablePool, resolve: TextResolver): unknown {
	if (typeof value === 'string') {
		const [only, ...others] = splitTemplate(value);
		return only && 'selector' in only && others.length === 0 ? (variables.get(only.selector) ?? resolve(value)) : resolve(value);
	}
	return Array.isArray(value) ? value.map(item => fillParameter(item, variables, resolve)) : value;
}

/** Reads a number, which may be written as a string. */
function parseParameterNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
