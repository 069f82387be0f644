import { valueTypes } from '#agentFile/nodeKinds/words/fieldWords.ts';
import { under, type Words } from '#agentFile/nodeKinds/words/word.ts';
import { modelConfigWords } from './modelConfigWords.ts';
import { packagesWords } from './packageWords.ts';

const variableWords: Words = {
	name: 'Name of the variable, as references use it.',
	value_type: {
		text: 'Type of the value.',
		examples: ['string', 'number', 'boolean', 'object', 'secret', 'array[string]', 'array[object]'],
	},
	value: 'The value; for a conversation, the first one.',
	description: { text: 'What the variable is for.', field: {} },
	id: { text: 'ID that the hosted service gives the variable.', field: {} },
};

/** Fields of the file as a whole. */
export const fileWords: Words = {
	version: 'Version of the format, as text: "0.6.0".',
	kind: { text: 'What the file describes: "app".' },
	app: 'What the agent is called and how it works.',
	'app.name': 'Name that the hosted service shows. Here the agent has the name of its file.',
	'app.mode':
		'With a workflow: “workflow” runs once, “advanced-chat” answers within a conversation. With a model_config: “completion” writes one text, “chat” answers within a conversation, “agent-chat” with tools. With agent_packages: “agent” answers as the agent that the file carries.',
	'app.description': 'What the agent does, in a sentence.',
	'app.icon': { text: 'Icon in the hosted service.', field: {} },
	'app.icon_type': { text: 'Kind of the icon.', field: {}, examples: ['emoji', 'image'] },
	'app.icon_background': { text: 'Colour behind the icon, such as "#FFEAD5".', field: {} },
	'app.use_icon_as_answer_icon': { text: 'Whether answers show the icon in the hosted service.', field: {}, examples: ['true', 'false'] },
	...packagesWords,
	agent: 'In the place of a workflow, for mode “agent”: the agent that answers, one of “agent_packages”.',
	'agent.package_ref': 'Its reference under agent_packages.',
	dependencies: { text: 'Plugins that the hosted service has to have; not needed here.', field: {} },
	workflow: 'The graph, and what is around it.',
	'workflow.environment_variables': 'Values that are the same in each run; references begin with “env”.',
	'workflow.environment_variables[]': 'A variable of the environment.',
	...under('workflow.environment_variables[]', variableWords),
	'workflow.conversation_variables': 'Values that are kept within a conversation; references begin with “conversation”.',
	'workflow.conversation_variables[]': 'A variable of the conversation.',
	...under('workflow.conversation_variables[]', variableWords),
	'workflow.features': 'What a chat with the agent offers: opening_statement, suggested_questions, file_upload, text_to_speech and others.',
	'workflow.graph': 'The nodes and the edges between them.',
	'workflow.graph.nodes': 'The steps of the agent. Exactly one is a start.',
	'workflow.graph.nodes[]': 'A step of the agent.',
	'workflow.graph.nodes[].id': 'ID that edges and references name: letters, digits and _, 50 at most.',
	'workflow.graph.nodes[].type': {
		text: 'How the hosted service draws the node. What it does is said by “data.type”.',
		examples: ['custom', 'custom-iteration-start', 'custom-loop-start', 'custom-note'],
	},
	'workflow.graph.nodes[].parentId': { text: 'The iteration or loop that the node is inside of.', refers: 'container' },
	'workflow.graph.nodes[].data': 'What the node does. Its fields depend on “type”.',
	'workflow.graph.nodes[].data.type': 'Kind of the node.',
	'workflow.graph.nodes[].data.title': 'Title of the node, as runs show it.',
	'workflow.graph.nodes[].position': { text: 'Place on the canvas: x and y.', field: {} },
	'workflow.graph.nodes[].width': { text: 'Width on the canvas.', field: {} },
	'workflow.graph.nodes[].height': { text: 'Height on the canvas.', field: {} },
	'workflow.graph.edges': 'Which node comes after which. A node runs when all edges to it are decided and one of them was taken.',
	'workflow.graph.edges[]': 'A way from one node to the next.',
	'workflow.graph.edges[].source': { text: 'ID of the node that comes first.', refers: 'node' },
	'workflow.graph.edges[].target': { text: 'ID of the node that comes after it.', refers: 'node' },
	'workflow.graph.edges[].sourceHandle': {
		text: 'Which way out of the first node: “source”; a case’s ID or “false” after an if-else; a class’s ID after a classifier; “fail-branch” where it failed.',
		refers: 'handle',
	},
	'workflow.graph.edges[].id': { text: 'ID of the edge.', field: {} },
	'workflow.graph.edges[].type': { text: 'How the hosted service draws the edge.', field: {}, examples: ['custom'] },
	'workflow.graph.edges[].targetHandle': { text: 'Where the edge ends at its target: “target”.', field: {}, examples: ['target'] },
	'workflow.graph.edges[].data': { text: 'What the hosted service notes of the edge.', field: {} },
	model_config: 'What the model of an app without a graph is told, in the place of “workflow”.',
	...under('model_config', modelConfigWords),
	'workflow.graph.viewport': { text: 'Part of the canvas that is shown.', field: {} },
};

/** Fields that `data` of a node of any type has. */
export const commonWords: Words = {
	'': 'What the node does.',
	desc: { text: 'A note on the node.', field: {}, form: 'text', rare: true },
	selected: { text: 'Whether the node is selected on the canvas.', field: {}, form: 'kept' },
	error_strategy:
		'What happens when the node fails: the run fails (“none”), the edge “fail-branch” is taken, or “default_value” is put out.',
	default_value: 'Outputs of the node where it fails, for the strategy “default-value”.',
	'default_value[]': 'An output of the node where it fails.',
	'default_value[].key': 'Name of the output.',
	'default_value[].type': { text: 'Type of the value.', examples: valueTypes },
	'default_value[].value': 'The value; as text it is read by its type.',
	retry_config: 'Tries the node again where it fails.',
	'retry_config.retry_enabled': 'Whether it is tried again.',
	'retry_config.max_retries': 'How often at most, up to 10.',
	'retry_config.retry_interval': 'Milliseconds before each try.',
	isInIteration: { text: 'Whether the node is inside an iteration.', field: {}, form: 'kept' },
	iteration_id: { text: 'The iteration that the node is inside of.', field: { refers: 'container' }, form: 'kept' },
	isInLoop: { text: 'Whether the node is inside a loop.', field: {}, form: 'kept' },
	loop_id: { text: 'The loop that the node is inside of.', field: { refers: 'container' }, form: 'kept' },
};
