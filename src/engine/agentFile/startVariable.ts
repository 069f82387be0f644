import type { StartVariable } from './agentTypes.ts';

/** A parsed field of a start node, or of the form of an app without a graph. */
interface DeclaredField {
	readonly variable: string;
	readonly label: string;
	readonly required: boolean;
	readonly max_length?: number | null | undefined;
	readonly options: string[];
	readonly default?: unknown;
	readonly hint: string;
	readonly allowed_file_types: readonly string[];
	readonly allowed_file_extensions: string[];
	readonly allowed_file_upload_methods: string[];
}

/** Converts a field to a variable without its unset properties. */
export function toStartVariable(field: DeclaredField, type: string): StartVariable {
	const { variable, label, required, max_length: most, options, default: value, hint } = field;
	const { allowed_file_types: types, allowed_file_extensions: extensions, allowed_file_upload_methods: methods } = field;
	return {
		variable,
		label: label || variable,
		type,
		required,
		...(most && { max_length: most }),
		options,
		...(value !== undefined && value !== null && value !== '' && { default: value }),
		...(hint && { hint }),
		...(extensions.length > 0 && { allowed_file_extensions: extensions }),
		...(methods.length > 0 && { allowed_file_upload_methods: methods }),
		allowedFileTypes: types,
	};
}
