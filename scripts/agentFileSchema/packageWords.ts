import { under, type Words } from '#agentFile/nodeKinds/words/word.ts';

const elsewhere = (what: string) => ({ text: `${what} Not there in the built-in gateway: the agent runs without it.`, field: {} });

/** Words of an agent that a file carries. */
const packageWords: Words = {
	schema_version: { text: 'Version of the form that the agent is written in.', field: {} },
	metadata: 'What the agent is called.',
	'metadata.name': 'Name of the agent, which people see.',
	'metadata.description': { text: 'What the agent does, in a sentence.', field: {} },
	'metadata.icon': { text: 'Icon in the hosted service.', field: {} },
	soul: 'What the agent is: its instructions, its model and its tools.',
	'soul.prompt': 'What the agent is told of itself.',
	'soul.prompt.system_prompt': 'Its instructions.',
	'soul.model': 'The model that answers.',
	'soul.model.plugin_id': { text: 'Plugin of the model’s provider; not needed here.', field: {} },
	'soul.model.model_provider': 'Provider, as the hosted service names it. The built-in gateway goes by the name of the model.',
	'soul.model.model': { text: 'Name of the model. The routes of the built-in gateway say where it is asked.', refers: 'model' },
	'soul.model.model_settings': 'Parameters of the model: temperature, top_p, max_tokens, stop and others.',
	'soul.tools': 'What the agent can use.',
	'soul.tools.dify_tools': 'The tools.',
	'soul.tools.dify_tools[]': 'A tool of the agent.',
	...under('soul.tools.dify_tools[]', {
		enabled: 'Whether the agent has it.',
		type: 'Kind of the tool: builtin, api, workflow, mcp.',
		provider_type: 'Kind of the tool: builtin, api, workflow, mcp.',
		provider_name: 'Who offers it: “time”, an MCP server, a description, an agent.',
		provider: 'Who offers it, where there is no “provider_name”.',
		provider_id: 'ID of who offers it.',
		plugin_id: 'Plugin that offers it, where there is no other name.',
		tool_name: 'Name of the tool.',
		name: 'Name of the tool, where there is no “tool_name”.',
		tool_label: 'Name that people see.',
		tool_description: 'What the model is told that it is for.',
		extra: 'What is said beside that.',
		'extra.description': 'What the model is told that it is for, in place of “tool_description”.',
		settings: 'Parameters that are set for good.',
		parameters: 'Parameters, and whether the model gives them.',
	}),
	'soul.tools.cli_tools': elsewhere('Programs that the agent can call.'),
	'soul.knowledge': elsewhere('Datasets that the agent searches.'),
	'soul.human': elsewhere('People whom the agent asks.'),
	'soul.env': elsewhere('Variables of its environment.'),
	'soul.sandbox': elsewhere('Where its programs run.'),
	'soul.memory': elsewhere('What it remembers.'),
	'soul.app_features': elsewhere('What a chat with the agent offers.'),
	'soul.app_variables': elsewhere('What the agent takes.'),
	omitted_assets: { text: 'What the export has left out.', field: {} },
};

/** Words of all agents that a file carries, by their references. */
export const packagesWords: Words = {
	agent_packages: 'Agents that the file carries, by the reference that its nodes, or “agent”, bind them by.',
	'agent_packages.*': 'An agent that the file carries.',
	...under('agent_packages.*', packageWords),
};
