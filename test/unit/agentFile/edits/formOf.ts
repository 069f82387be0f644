import fs from 'node:fs';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { getInnerFields } from '#pages/graph/nodeForm/formFaults.ts';
import type { FieldOf, NodeForm, NodeFormField } from '#pages/graph/nodeForm/formTypes.ts';
import { createNodeForm } from '#pages/graph/nodeForm/nodeForm.ts';
import { agentFileSchemaPath } from '../../../../scripts/agentFileSchema.ts';
import { english } from '../../../support/english.ts';

export const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));

/** Returns the form of a node. */
export function createForm(text: string, node: string): NodeForm | undefined {
	const tree = new AgentReading(text);
	return createNodeForm(node, {
		content: tree.content,
		schema,
		faults: findAgentFaults(tree, schema, english),
		models: ['offline'],
		editable: true,
	});
}

/** Returns an agent with a chain of nodes. The first is a start node with an input `q` and a list of files `docs`. */
export function createAgentWith(...nodes: readonly Readonly<Record<string, unknown>>[]): string {
	const start = {
		type: 'start',
		variables: [
			{ variable: 'q', type: 'paragraph', required: true },
			{ variable: 'n', type: 'number' },
			{ variable: 'docs', type: 'file-list' },
		],
	};
	const all = [{ id: 'start', ...start }, ...nodes.map((node, at) => ({ id: `n${at + 1}`, ...node }) as { id: string })];
	return JSON.stringify({
		kind: 'app',
		app: { mode: 'workflow', name: 'a' },
		workflow: {
			environment_variables: [{ name: 'key', value_type: 'secret', value: '' }],
			graph: {
				nodes: all.map(({ id, ...data }) => ({ id, data: { title: id, ...data } })),
				edges: all.slice(1).map(({ id }, at) => ({ source: all[at]?.id, target: id })),
			},
		},
	});
}

/** Returns the form of the last node of such an agent. */
export function createFormOfLastNode(...nodes: readonly Readonly<Record<string, unknown>>[]): NodeForm {
	const form = createForm(createAgentWith(...nodes), `n${nodes.length}`);
	if (!form) {
		throw new Error('no form');
	}
	return form;
}

/** Returns a field by its path in `data`. */
export function getFieldAt<Kind extends NodeFormField['kind']>(
	form: NodeForm,
	kind: Kind,
	...path: readonly (string | number)[]
): FieldOf<Kind> {
	const found = form.sections
		.flatMap(({ fields }) => fields.flatMap(listFields))
		.find(each => JSON.stringify(each.path) === JSON.stringify(path));
	if (found?.kind !== kind) {
		throw new Error(`${path.join('.')} is ${found?.kind}: expected ${kind}`);
	}
	return found as FieldOf<Kind>;
}

/** Returns a field and all its inner fields. */
export function listFields(field: NodeFormField): readonly NodeFormField[] {
	return [field, ...getInnerFields(field).flatMap(listFields)];
}
