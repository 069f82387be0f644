import { valueTypes } from '#agentFile/nodeKinds/labels/fieldLabels.ts';
import { type Labels, prefixPaths } from '#agentFile/nodeKinds/labels/label.ts';
import { modelConfigWords } from './modelConfigWords.ts';
import { packagesWords } from './packageWords.ts';

const variableWords: Labels = {
	name: 'Name of the variable, as used in references.',
	value_type: {
		text: 'Type of the value.',
		examples: ['string', 'number', 'boolean', 'object', 'secret', 'array[string]', 'array[object]'],
	},
	value: 'The value. For a conversation variable, its initial value.',
	description: { text: 'Description of the variable.', field: {} },
	id: { text: 'ID that Dify assigns to the variable.', field: {} },
};

/** Fields at the top level of the file. */
export const fileWords: Labels = {
	version: 'Version of the format as a string, for example "0.6.0".',
	kind: { text: 'Kind of file. Must be "app".' },
	app: 'Name and mode of the agent.',
	'app.name': 'Name shown in Dify. In Agent Workbench, the file name is the name of the agent.',
	'app.mode':
		"With a workflow: 'workflow' runs once, 'advanced-chat' replies in a conversation. With a model_config: 'completion' generates one text, 'chat' replies in a conversation, 'agent-chat' can also use tools. With agent_packages: 'agent' replies as the agent included in the file.",
	'app.description': 'Short description of the agent.',
	'app.icon': { text: 'Icon of the agent in Dify.', field: {} },
	'app.icon_type': { text: 'Whether the icon is an emoji or an image.', field: {}, examples: ['emoji', 'image'] },
	'app.icon_background': { text: 'Background color of the icon, for example "#FFEAD5".', field: {} },
	'app.use_icon_as_answer_icon': { text: 'Whether replies show the icon in Dify.', field: {}, examples: ['true', 'false'] },
	...packagesWords,
	agent: "Agent from agent_packages that replies. Replaces the workflow in mode 'agent'.",
	'agent.package_ref': 'Key of the agent in agent_packages.',
	dependencies: { text: 'Plugins that Dify requires. Not needed in Agent Workbench.', field: {} },
	workflow: 'Graph of the workflow, with its variables and features.',
	'workflow.environment_variables': "Values that are the same in every run. References start with 'env'.",
	'workflow.environment_variables[]': 'An environment variable.',
	...prefixPaths('workflow.environment_variables[]', variableWords),
	'workflow.conversation_variables': "Values that are stored for the duration of a conversation. References start with 'conversation'.",
	'workflow.conversation_variables[]': 'A conversation variable.',
	...prefixPaths('workflow.conversation_variables[]', variableWords),
	'workflow.features': 'Chat features of the agent, such as opening_statement, suggested_questions, file_upload and text_to_speech.',
	'workflow.graph': 'Nodes and the edges between them.',
	'workflow.graph.nodes': 'Steps of the agent, including a start node or triggers.',
	'workflow.graph.nodes[]': 'A step of the agent.',
	'workflow.graph.nodes[].id': 'ID used by edges and references. Up to 50 letters, digits and underscores.',
	'workflow.graph.nodes[].type': {
		text: "How Dify draws the node. 'data.type' determines what the node does.",
		examples: ['custom', 'custom-iteration-start', 'custom-loop-start', 'custom-note'],
	},
	'workflow.graph.nodes[].parentId': { text: 'Iteration or loop that contains the node.', refers: 'container' },
	'workflow.graph.nodes[].data': "Settings of the node. The fields depend on 'type'.",
	'workflow.graph.nodes[].data.type': 'Node type.',
	'workflow.graph.nodes[].data.title': 'Title of the node, as shown in runs.',
	'workflow.graph.nodes[].position': { text: 'Position on the canvas: x and y.', field: {} },
	'workflow.graph.nodes[].width': { text: 'Width on the canvas.', field: {} },
	'workflow.graph.nodes[].height': { text: 'Height on the canvas.', field: {} },
	'workflow.graph.edges':
		"Connections between nodes. A node runs once it's known which of its incoming edges are taken, if at least one is.",
	'workflow.graph.edges[]': 'A connection from one node to the next.',
	'workflow.graph.edges[].source': { text: 'ID of the node where the edge starts.', refers: 'node' },
	'workflow.graph.edges[].target': { text: 'ID of the node where the edge ends.', refers: 'node' },
	'workflow.graph.edges[].sourceHandle': {
		text: "Output handle of the source node: 'source', a case ID or 'false' of an if-else, a class ID of a classifier, or 'fail-branch' if the node failed.",
		refers: 'handle',
	},
	'workflow.graph.edges[].id': { text: 'ID of the edge.', field: {} },
	'workflow.graph.edges[].type': { text: 'How Dify draws the edge.', field: {}, examples: ['custom'] },
	'workflow.graph.edges[].targetHandle': { text: "Input handle of the target node: 'target'.", field: {}, examples: ['target'] },
	'workflow.graph.edges[].data': { text: 'Data that Dify stores about the edge.', field: {} },
	model_config: "Settings of an app without a graph, instead of 'workflow'.",
	...prefixPaths('model_config', modelConfigWords),
	'workflow.graph.viewport': { text: 'Visible part of the canvas.', field: {} },
};

/** Fields of `data` in nodes of all types. */
export const commonWords: Labels = {
	'': 'Settings of the node.',
	desc: { text: 'Note about the node.', field: {}, form: 'text', rare: true },
	selected: { text: 'Whether the node is selected on the canvas.', field: {}, form: 'kept' },
	error_strategy:
		"What happens when the node fails: the run fails ('none'), continues on the 'fail-branch' edge ('fail-branch'), or continues with the outputs in 'default_value' ('default-value').",
	default_value: "Outputs that replace those of a failed node if 'error_strategy' is 'default-value'.",
	'default_value[]': 'An output that replaces one of a failed node.',
	'default_value[].key': 'Name of the output.',
	'default_value[].type': { text: 'Type of the value.', examples: valueTypes },
	'default_value[].value': "Value of the output. A string is converted to 'type'.",
	retry_config: 'Retries the node if it fails.',
	'retry_config.retry_enabled': 'Whether to retry the node if it fails.',
	'retry_config.max_retries': 'Maximum number of retries, up to 10.',
	'retry_config.retry_interval': 'Milliseconds to wait before each retry.',
	isInIteration: { text: 'Whether the node is inside an iteration.', field: {}, form: 'kept' },
	iteration_id: { text: 'Iteration that contains the node.', field: { refers: 'container' }, form: 'kept' },
	isInLoop: { text: 'Whether the node is inside a loop.', field: {}, form: 'kept' },
	loop_id: { text: 'Loop that contains the node.', field: { refers: 'container' }, form: 'kept' },
};
