import type { AgentVariable } from '#contract/agents.ts';

/** Returns the initial value of a variable: its default, or an empty value of its type. */
export function createPlaceholder({ type, options, default: given }: AgentVariable): unknown {
	if (given !== undefined && given !== null && given !== '') {
		return given;
	}
	switch (type) {
		case 'number':
			return 0;
		case 'checkbox':
			return false;
		case 'select':
			return options?.[0] ?? '';
		case 'file':
			return { $file: './' };
		case 'file-list':
			return [];
		case 'json_object':
			return {};
		default:
			return '';
	}
}
