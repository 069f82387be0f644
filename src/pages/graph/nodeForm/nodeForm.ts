import { type AgentGraph, type GraphNode, getOutputHandles, graphPath, readAgentGraph } from '#agentFile/agentGraph.ts';
import type { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { agentFields } from '#agentFile/edits/graphOperations.ts';
import { getField, toFields } from '#base/records/plainValues.ts';
import { resolveSchema } from '#base/text/schemaCheck.ts';
import { FieldBuilder } from './fieldBuilder.ts';
import { attachFaults, type DataFault } from './formFaults.ts';
import { getFormScopes } from './formScopes.ts';
import type { FormSection, HandleTargets, NodeForm } from './formTypes.ts';

interface NodeFormParts {
	/** The file as plain values. */
	readonly content: unknown;
	readonly schema: AgentSchema;
	/** Problems of the file, with paths from its top. */
	readonly faults: readonly DataFault[];
	/** Names of known models. */
	readonly models: readonly string[];
	readonly editable: boolean;
}

/** Creates the form of a node, from the schema that completion uses; `undefined` if the file has no such node, or the node has no data. */
export function createNodeForm(id: string, { content, schema, faults, models, editable }: NodeFormParts): NodeForm | undefined {
	const graph = readAgentGraph(content);
	const node = graph.nodes.find(each => each.id === id);
	if (!node?.data) {
		return undefined;
	}
	const scopes = getFormScopes(graph, node, type => schema.isNodeType(type));
	const builder = new FieldBuilder({ root: schema.file, scopes, getHandleTargets: handle => getHandleTargets(graph, node, handle) });
	const data = schema.getDataSchema(node.type);
	const own = [...graphPath, 'nodes', node.at, 'data'];
	const inside = faults
		.filter(({ path }) => own.every((key, at) => path[at] === key))
		.map(fault => ({ ...fault, path: fault.path.slice(own.length) }));
	const { sections, rest } = attachFaults(createSections(builder, schema, node), inside);
	const names = Object.keys(data.properties ?? {});
	return {
		node: id,
		type: node.type,
		title: node.title,
		about: schema.types.get(node.type) ?? '',
		sections,
		others: Object.keys(node.data).filter(name => !names.includes(name)),
		faults: rest,
		scopes,
		models,
		editable,
	};
}

/**
 * Creates the sections: common fields come before and after the fields of the type. The type isn't a field, because another type would make
 * it another node.
 */
function createSections(builder: FieldBuilder, schema: AgentSchema, { type, data }: GraphNode): readonly FormSection[] {
	const whole = schema.getDataSchema(type);
	const properties = whole.properties ?? {};
	const common = Object.keys(schema.file.definitions?.['node']?.properties ?? {});
	const isCanvasField = (name: string) => resolveSchema(properties[name] ?? {}, schema.file).form === 'kept';
	const names = Object.keys(properties).filter(name => name !== 'type');
	const kept = names.filter(isCanvasField);
	const head: readonly string[] = names.filter(name => ['title', 'desc'].includes(name));
	const failure = names.filter(name => common.includes(name) && !kept.includes(name) && !head.includes(name));
	const main = names.filter(name => !kept.includes(name) && !failure.includes(name) && !head.includes(name));
	const createSection = (id: FormSection['id'], of: readonly string[]): FormSection => ({
		id,
		fields: builder.buildFields(whole, data, [], [...of]),
	});
	// the description comes last, so that the prompt or program is near the top
	return [
		createSection('main', [...head.filter(name => name !== 'desc'), ...main, ...head.filter(name => name === 'desc')]),
		createSection('failure', failure),
		createSection('kept', kept),
	];
}

/** Creates the form of the agent with its name and variables; `undefined` if the file has no graph. */
export function createAgentForm({ content, schema, faults, models, editable }: NodeFormParts): NodeForm | undefined {
	const { mode, name } = toFields(getField(content, 'app'));
	if (!getField(getField(content, 'workflow'), 'graph')) {
		return undefined;
	}
	const builder = new FieldBuilder({ root: schema.file, scopes: [], getHandleTargets: () => undefined });
	const fields = agentFields.flatMap(path => {
		const [part = '', field = ''] = path.map(String);
		const form = resolveSchema(schema.file.properties?.[part] ?? {}, schema.file);
		return builder.buildFields(form, getField(content, part), [part], [field]);
	});
	const { sections } = attachFaults([{ id: 'main', fields }], faults);
	return {
		type: typeof mode === 'string' ? mode : '',
		title: typeof name === 'string' ? name : '',
		about: '',
		sections,
		others: [],
		faults: [],
		scopes: [],
		models,
		editable,
	};
}

function getHandleTargets({ nodes, edges }: AgentGraph, node: GraphNode, handle: string): HandleTargets | undefined {
	if (!getOutputHandles(node).includes(handle)) {
		return undefined;
	}
	const targets = edges.filter(edge => edge.source === node.id && edge.handle === handle).map(({ target }) => target);
	return { handle, targets: targets.map(target => nodes.find(({ id }) => id === target)?.title ?? target) };
}
