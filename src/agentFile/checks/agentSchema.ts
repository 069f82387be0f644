import type { JSONPath, Node } from 'jsonc-parser';
import { type JsonSchema, resolveSchema } from '#base/text/schemaCheck.ts';
import { findProperty } from '#base/text/textFaults.ts';

/** The schema of agent files (media/agent.schema.json), with the fields of each node type. */
export class AgentSchema {
	readonly file: JsonSchema;
	/** The schema of a file, except for its nodes and edges, which are checked one by one. */
	readonly frame: JsonSchema;
	/** Known node types with their descriptions. */
	readonly types: ReadonlyMap<string, string>;
	readonly #data = new Map<string, JsonSchema>();

	constructor(file: JsonSchema) {
		this.file = file;
		const workflow = file.properties?.['workflow'] ?? {};
		const graph = workflow.properties?.['graph'] ?? {};
		const lists = Object.entries(graph.properties ?? {}).map(([name, { items: _, ...list }]) => [name, list] as const);
		this.frame = {
			...file,
			properties: {
				...file.properties,
				workflow: { ...workflow, properties: { ...workflow.properties, graph: { ...graph, properties: Object.fromEntries(lists) } } },
			},
		};
		this.types = new Map(
			Object.entries(file.definitions ?? {})
				.filter(([name]) => name !== 'node' && !name.includes('__'))
				.map(([name, { description = '' }]) => [name, description]),
		);
	}

	/** Returns the schema of a node or edge. */
	getItemSchema(list: 'nodes' | 'edges'): JsonSchema {
		return this.file.properties?.['workflow']?.properties?.['graph']?.properties?.[list]?.items ?? {};
	}

	isNodeType(type: string): boolean {
		return this.types.has(type);
	}

	/** Returns the schema of `data` for a node type; for unknown types, only the common fields. */
	getDataSchema(type: string): JsonSchema {
		let schema = this.#data.get(type);
		if (!schema) {
			const { definitions = {} } = this.file;
			const common = this.getSchemasAt(['workflow', 'graph', 'nodes', 0, 'data'], undefined)[0] ?? {};
			const own = this.isNodeType(type) ? definitions[type] : undefined;
			schema = {
				...common,
				...own,
				type: 'object',
				required: [...(common.required ?? []), ...(own?.required ?? [])],
				properties: { ...common.properties, ...own?.properties, ...definitions['node']?.properties },
			};
			this.#data.set(type, schema);
		}
		return schema;
	}

	/** Returns the schemas that apply to a value at a path. `root` is the file, which determines the types of its nodes. */
	getSchemasAt(place: JSONPath, root: Node | undefined): readonly JsonSchema[] {
		let forms = listVariants(this.file, this.file);
		let node: Node | undefined = root;
		for (const [depth, key] of place.entries()) {
			node = typeof key === 'number' ? node?.children?.[key] : findProperty(node, key);
			const isData = depth === 4 && key === 'data' && isNodePath(place) && root;
			forms = isData
				? listVariants(this.getDataSchema(String(findProperty(node, 'type')?.value ?? '')), this.file)
				: this.getInnerSchemas(forms, key);
		}
		return forms;
	}

	/** Returns the schemas of a key within the given schemas, ignoring node types. */
	getInnerSchemas(forms: readonly JsonSchema[], key: string | number): readonly JsonSchema[] {
		return forms.flatMap(schema => findInnerSchema(schema, key)).flatMap(schema => listVariants(schema, this.file));
	}
}

/** True if a path leads to a node of the graph or into one. */
export function isNodePath([workflow, graph, nodes, at]: JSONPath): boolean {
	return workflow === 'workflow' && graph === 'graph' && nodes === 'nodes' && typeof at === 'number';
}

function listVariants(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
	const { anyOf, usually, ...own } = resolveSchema(schema, root);
	const forms = [...(anyOf ?? []), ...(usually ?? [])];
	return forms.length > 0 ? forms.map(form => ({ ...own, ...removeUndefined(resolveSchema(form, root)) })) : [own];
}

function findInnerSchema(schema: JsonSchema, key: string | number): readonly JsonSchema[] {
	if (typeof key === 'number') {
		return schema.items ? [schema.items] : [];
	}
	const found = schema.properties?.[key] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
	return found ? [found] : [];
}

function removeUndefined(schema: JsonSchema): JsonSchema {
	return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
