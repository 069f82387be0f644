import { getFieldText } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Calls a tool. */
export const tool: NodeKind = {
	type: 'tool',
	icon: 'tools',
	hasSideEffects: () => true,
	isForeign: true,
	snippet: {
		title: 'Tool',
		data: [
			'provider_id: ${3:time}',
			'provider_type: ${4:builtin}',
			'provider_name: ${3:time}',
			'tool_name: ${5:current_time}',
			'tool_label: ${6:Current time}',
			'tool_configurations: {}',
			'tool_parameters: {}',
		],
	},
	outputs: ['text:string', 'files:array[file]', 'json:array[object]'],
	openOutputs: true,
	createFacts: data => createFact(getFieldText(data, 'tool_label') || getFieldText(data, 'tool_name')),
};

export const describeKind = (): KindLabels => ({
	tool: {
		text: 'Calls a tool: a built-in one, another agent, or one from an MCP server or OpenAPI description in the settings.',
		fields: {
			provider_id: 'Provider of the tool.',
			provider_name: 'Name of the provider.',
			provider_type: { text: 'Type of provider.', examples: ['builtin', 'plugin', 'workflow', 'api', 'mcp', 'app'] },
			tool_name: { text: 'Name of the tool.', examples: 'tools' },
			tool_label: { text: 'Display name of the tool.', rare: true },
			tool_configurations: { text: 'Settings of the tool.', rare: true },
			tool_parameters: 'Parameters of the call.',
			'tool_parameters.*': 'A parameter of the call.',
			'tool_parameters.*.type': {
				text: "Whether the value is text with references ('mixed'), a variable or a constant.",
				examples: ['mixed', 'variable', 'constant'],
			},
			'tool_parameters.*.value': { text: 'The value, or [node ID, variable].', refers: 'variable' },
		},
	},
});
