import { type Labels, prefixPaths } from '#agentFile/nodeKinds/labels/label.ts';

const describeIgnoredField = (what: string) => ({ text: `${what} The built-in gateway ignores this field.`, field: {} });

/** Descriptions of an agent embedded in a file. */
const packageWords: Labels = {
	schema_version: { text: "Version of the package's schema.", field: {} },
	metadata: 'Name and description of the agent.',
	'metadata.name': 'Display name of the agent.',
	'metadata.description': { text: 'Short description of the agent.', field: {} },
	'metadata.icon': { text: 'Icon of the agent in Dify.', field: {} },
	soul: 'Instructions, model and tools of the agent.',
	'soul.prompt': 'Prompts of the agent.',
	'soul.prompt.system_prompt': 'Instructions for the agent.',
	'soul.model': 'Model that generates the replies.',
	'soul.model.plugin_id': { text: "Plugin of the model's provider. Not needed in Agent Workbench.", field: {} },
	'soul.model.model_provider': 'Provider, as named in Dify. The built-in gateway ignores it and uses the model name.',
	'soul.model.model': {
		text: 'Name of the model. The routes of the built-in gateway determine which service receives the request.',
		refers: 'model',
	},
	'soul.model.model_settings': 'Parameters of the model, such as temperature, top_p, max_tokens and stop.',
	'soul.tools': 'Tools of the agent.',
	'soul.tools.dify_tools': 'Tools that the agent can use.',
	'soul.tools.dify_tools[]': 'A tool of the agent.',
	...prefixPaths('soul.tools.dify_tools[]', {
		enabled: 'Whether the agent can use the tool.',
		type: 'Type of tool: builtin, api, workflow, mcp.',
		provider_type: 'Type of tool: builtin, api, workflow, mcp.',
		provider_name: "Provider of the tool: 'time', an MCP server, an OpenAPI description or an agent.",
		provider: "Provider of the tool, if 'provider_name' is missing.",
		provider_id: 'ID of the provider.',
		plugin_id: 'Plugin of the tool, if no other provider name is set.',
		tool_name: 'Name of the tool.',
		name: "Name of the tool, if 'tool_name' is missing.",
		tool_label: 'Display name.',
		tool_description: 'Description of the tool for the model.',
		extra: 'Additional settings of the tool.',
		'extra.description': "Description of the tool for the model, instead of 'tool_description'.",
		settings: 'Parameters with fixed values.',
		parameters: 'Parameters of the tool, and whether the model provides their values.',
	}),
	'soul.tools.cli_tools': describeIgnoredField('Command-line tools for the agent.'),
	'soul.knowledge': describeIgnoredField('Datasets of the agent.'),
	'soul.human': describeIgnoredField('People that the agent can contact.'),
	'soul.env': describeIgnoredField('Environment variables of the agent.'),
	'soul.sandbox': describeIgnoredField("Sandbox for the agent's programs."),
	'soul.memory': describeIgnoredField('Memory of the agent.'),
	'soul.app_features': describeIgnoredField('Chat features of the agent.'),
	'soul.app_variables': describeIgnoredField('Inputs of the agent.'),
	omitted_assets: { text: "Assets that aren't included in the export.", field: {} },
};

/** Descriptions of all agents embedded in a file, by reference. */
export const packagesWords: Labels = {
	agent_packages: "Agents included in the file, by the key that 'package_ref' refers to.",
	'agent_packages.*': 'An agent included in the file.',
	...prefixPaths('agent_packages.*', packageWords),
};
