import { fieldOf, fieldsOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import { type AgentGraph, type GraphNode, nodesBefore } from './agentGraph.ts';

/** A value that a reference can name. */
export interface Variable {
	readonly name: string;
	/** Type as the format names it; empty where it is not known. */
	readonly type: string;
	/** What it is, where the file says so. */
	readonly description?: string;
}

/** What references can name under one first segment: a node's ID, `sys`, `env` or `conversation`. */
export interface Scope {
	readonly id: string;
	/** The node; absent for what no node puts out. */
	readonly node?: GraphNode;
	readonly variables: readonly Variable[];
	/** Whether there can be other variables than these. */
	readonly open: boolean;
}

const usage = 'usage:object';
/** What nodes put out (workflow DSL, "Node types"), as `name:type`; some types have more that depends on their fields. */
const outputs: Readonly<Record<string, readonly string[]>> = {
	llm: ['text:string', 'reasoning_content:string', usage, 'finish_reason:string', 'files:array[file]'],
	'knowledge-retrieval': ['result:array[object]'],
	'template-transform': ['output:string'],
	'if-else': ['result:boolean', 'selected_case_id:string'],
	'http-request': ['status_code:number', 'body:string', 'headers:object', 'files:array[file]'],
	'question-classifier': ['class_name:string', 'class_id:string', 'class_label:string', usage],
	'parameter-extractor': ['__is_success:number', '__reason:string', '__usage:object'],
	tool: ['text:string', 'files:array[file]', 'json:array[object]'],
	agent: ['text:string', 'files:array[file]', 'json:array[object]', usage],
	'list-operator': ['result:array', 'first_record:', 'last_record:'],
	iteration: ['output:array', 'item:', 'index:number'],
	loop: ['loop_round:number', 'index:number'],
	answer: ['answer:string', 'files:array[file]'],
	'human-input': ['__action_id:string', '__action_value:string', '__rendered_content:string'],
};
/** Types whose outputs the file alone does not tell. */
const openTypes = /^(tool|agent|trigger-.*|)$/;

/** Variables of every run (workflow DSL, "Referring to variables"). */
const system = [
	'query:string',
	'files:array[file]',
	'conversation_id:string',
	'user_id:string',
	'dialogue_count:number',
	'app_id:string',
	'workflow_id:string',
	'workflow_run_id:string',
	'timestamp:number',
];

/** Everything that references in an agent file can name, in the order of the file. */
export function scopesOf(graph: AgentGraph, isKnownType: (type: string) => boolean): readonly Scope[] {
	const named = (name: string): Scope => ({
		id: name,
		variables: itemsOf(graph.workflow, `${name === 'env' ? 'environment' : name}_variables`).map(each =>
			variableOf(textOf(each, 'name'), textOf(each, 'value_type'), textOf(each, 'description')),
		),
		open: false,
	});
	const nodes = graph.nodes.map(node => ({
		id: node.id,
		node,
		variables: outputsOf(node),
		open: openTypes.test(node.type) || !isKnownType(node.type),
	}));
	return [...nodes, named('env'), named('conversation'), { id: 'sys', variables: system.map(parsed), open: true }];
}

/** What a node can refer to: what comes before it, and what no node puts out. Everything where nothing leads to it yet, or no node is meant. */
export function scopesBefore(graph: AgentGraph, own: GraphNode | undefined, isKnownType: (type: string) => boolean): readonly Scope[] {
	const before = own ? nodesBefore(graph, own.id) : new Set<string>();
	// a container refers to what is inside it, and a node without edges may come anywhere
	const fits = ({ node }: Scope) => !node || before.size === 0 || before.has(node.id) || (own && node.parent === own.id);
	return scopesOf(graph, isKnownType).filter(scope => scope.node?.id !== own?.id && fits(scope));
}

/** By `data` of nodes: what is read of a file stays the same object while its text does. */
const known = new WeakMap<object, { readonly type: string; readonly variables: readonly Variable[] }>();

function outputsOf(node: GraphNode): readonly Variable[] {
	const { type, data } = node;
	const before = data && known.get(data);
	if (before?.type === type) {
		return before.variables;
	}
	const variables = writtenOutputs(node);
	if (data) {
		known.set(data, { type, variables });
	}
	return variables;
}

function writtenOutputs({ type, data }: GraphNode): readonly Variable[] {
	const failures = ['fail-branch', 'default-value'].includes(textOf(data, 'error_strategy'))
		? ['error_message:string', 'error_type:string'].map(parsed)
		: [];
	const defaults = itemsOf(data, 'default_value').map(each => variableOf(textOf(each, 'key'), textOf(each, 'type')));
	return [
		...(Object.hasOwn(outputs, type) ? (outputs[type] ?? []) : []).map(parsed),
		...ownOutputs(type, data),
		...failures,
		...defaults,
	].filter(({ name }, at, all) => name !== '' && all.findIndex(each => each.name === name) === at);
}

/** Outputs that the fields of a node name. */
function ownOutputs(type: string, data: GraphNode['data']): readonly Variable[] {
	const list = (name: string) => itemsOf(data, name);
	switch (type) {
		case 'start':
		case 'trigger-webhook':
			return list('variables').map(each => variableOf(textOf(each, 'variable'), inputType(textOf(each, 'type')), textOf(each, 'label')));
		case 'human-input':
			return list('inputs').map(each => variableOf(textOf(each, 'output_variable_name'), inputType(textOf(each, 'type'))));
		case 'code':
			return Object.entries(fieldsOf(fieldOf(data, 'outputs'))).map(([name, value]) => variableOf(name, textOf(value, 'type')));
		case 'parameter-extractor':
			return list('parameters').map(each => variableOf(textOf(each, 'name'), textOf(each, 'type'), textOf(each, 'description')));
		case 'loop':
			return list('loop_variables').map(each => variableOf(textOf(each, 'label'), textOf(each, 'var_type')));
		case 'llm':
			return fieldOf(data, 'structured_output_enabled') === true ? [variableOf('structured_output', 'object')] : [];
		case 'document-extractor':
			return [variableOf('text', fieldOf(data, 'is_array_file') === true ? 'array[string]' : 'string')];
		case 'variable-aggregator':
		case 'variable-assigner': {
			const settings = fieldOf(data, 'advanced_settings');
			return fieldOf(settings, 'group_enabled') === true
				? itemsOf(settings, 'groups').map(each => variableOf(textOf(each, 'group_name'), 'object'))
				: [variableOf('output', textOf(data, 'output_type'))];
		}
		default:
			return [];
	}
}

function inputType(type: string): string {
	const types = { number: 'number', checkbox: 'boolean', file: 'file', 'file-list': 'array[file]', json_object: 'object' };
	return String(fieldOf(types, type) ?? 'string');
}

function variableOf(name: string, type: string, description = ''): Variable {
	return { name, type, ...(description && description !== name ? { description } : {}) };
}

function parsed(text: string): Variable {
	const [name = '', type = ''] = text.split(':');
	return { name, type };
}
