import assert from 'node:assert/strict';
import { type JsonSchema, resolveSchema } from '#base/text/schemaCheck.ts';
import { createAgentForm } from '#pages/graph/nodeForm/nodeForm.ts';
import { createForm, createFormOfLastNode, getFieldAt, listFields, schema } from '../../../agentFile/edits/formOf.ts';

describe('node form', () => {
	for (const type of schema.types.keys()) {
		it(`has all fields of the schema with their descriptions for type ${type}`, () => {
			const form = createFormOfLastNode({ type });
			const shown = form.sections.flatMap(({ fields }) => fields);
			const expected = Object.entries(schema.getDataSchema(type).properties ?? {}).filter(([name]) => name !== 'type');
			assert.deepEqual(shown.map(({ name }) => name).toSorted(), expected.map(([name]) => name).toSorted());
			for (const [name, field] of expected) {
				const own = shown.find(each => each.name === name);
				assert.equal(own?.help, resolveSchema(field, schema.file).description ?? '', name);
			}
			assert.equal(form.about, schema.types.get(type));
		});

		it(`has all nested fields for type ${type}`, () => {
			const missing: string[] = [];
			for (const [name, field] of Object.entries(schema.getDataSchema(type).properties ?? {})) {
				const written = createSample(field);
				const form = createFormOfLastNode({ type, [name]: written });
				const paths = new Set(form.sections.flatMap(({ fields }) => fields.flatMap(listFields)).map(each => JSON.stringify(each.path)));
				missing.push(...listPaths(written, [name]).filter(each => name !== 'type' && !paths.has(each)));
			}
			assert.deepEqual(missing, []);
		});
	}

	it('has the prompt right after the model, whose parameters are rare, and the description last', () => {
		const form = createFormOfLastNode({ type: 'llm', model: { name: 'x', completion_params: { top_p: 1 } }, prompt_template: [] });
		const [main] = form.sections;
		const common = main?.fields.filter(({ rare }) => !rare).map(({ name }) => name) ?? [];
		assert.deepEqual(common.slice(0, 3), ['title', 'model', 'prompt_template']);
		assert.equal(main?.fields.at(-1)?.name, 'desc');
		assert.equal(getFieldAt(form, 'group', 'model', 'completion_params').rare, true);
	});

	it('creates a variable of the agent with a type and a value', () => {
		const content = { app: { mode: 'workflow', name: 'a' }, workflow: { graph: { nodes: [], edges: [] }, environment_variables: [] } };
		const form = createAgentForm({ content, schema, faults: [], models: [], editable: true });
		const fresh = form?.sections.flatMap(({ fields }) => fields.flatMap(field => (field.kind === 'list' ? [field.fresh] : [])));
		assert.deepEqual(fresh, [
			{ name: 'name', value_type: 'string', value: '' },
			{ name: 'name', value_type: 'string', value: '' },
		]);
	});

	it('has the common fields for an unknown type, and lists the other fields of the file', () => {
		const form = createFormOfLastNode({ type: 'later', marvel: 1 });
		assert.equal(form.about, '');
		assert.deepEqual(form.others, ['marvel']);
		assert.equal(getFieldAt(form, 'text', 'title').value, 'n1');
	});

	it("lists fields that the schema doesn't know without changing them", () => {
		const form = createFormOfLastNode({ type: 'answer', answer: 'x', variables: [] });
		assert.deepEqual(form.others, ['variables']);
	});

	it("is undefined for a node that doesn't exist", () => {
		assert.equal(createForm('workflow: { graph: { nodes: [] } }', 'x'), undefined);
		assert.equal(createForm('', 'x'), undefined);
		assert.equal(createForm('workflow: { graph: { nodes: [ { id: x } ] } }', 'x'), undefined);
	});

	it('shows problems at the innermost field', () => {
		const form = createFormOfLastNode({
			type: 'if-else',
			cases: [{ case_id: 'true', conditions: [{ variable_selector: ['start', 'nope'] }] }],
		});
		assert.match(getFieldAt(form, 'selector', 'cases', 0, 'conditions', 0, 'variable_selector').faults[0] ?? '', /no variable 'nope'/);
		assert.match(getFieldAt(form, 'select', 'cases', 0, 'conditions', 0, 'comparison_operator').faults[0] ?? '', /missing/);
	});

	it('chooses the variant of the schema that the value fits', () => {
		const messages = createFormOfLastNode({ type: 'llm', model: {}, prompt_template: [{ role: 'system', text: 'a' }] });
		assert.equal(getFieldAt(messages, 'list', 'prompt_template').look, 'messages');
		const one = createFormOfLastNode({ type: 'llm', model: {}, prompt_template: { text: 'a', edition_type: 'basic' } });
		assert.equal(getFieldAt(one, 'text', 'prompt_template', 'text').value, 'a');
		const none = createFormOfLastNode({ type: 'llm', model: {} });
		assert.equal(getFieldAt(none, 'list', 'prompt_template').items.length, 0);
	});

	it("shows a value that doesn't fit its field unchanged", () => {
		const form = createFormOfLastNode({ type: 'http-request', method: ['get'], url: { a: 1 }, timeout: 'long' });
		assert.equal(getFieldAt(form, 'json', 'method').value, '[\n  "get"\n]');
		assert.equal(getFieldAt(form, 'json', 'url').value, '{\n  "a": 1\n}');
		assert.equal(getFieldAt(form, 'value', 'timeout').value, 'long');
	});

	it('offers variables with types of the nodes before, but not of those after', () => {
		const text = { type: 'code', code: '', outputs: { length: { type: 'number' } } };
		const form = createForm(
			JSON.stringify({
				workflow: {
					conversation_variables: [{ name: 'topic', value_type: 'string' }],
					graph: {
						nodes: [
							{ id: 's', data: { type: 'start', variables: [{ variable: 'q', type: 'number' }] } },
							{ id: 'a', data: { title: 'Count', ...text } },
							{ id: 'b', data: { type: 'answer' } },
							{ id: 'c', data: text },
						],
						edges: [
							{ source: 's', target: 'a' },
							{ source: 'a', target: 'b' },
							{ source: 'b', target: 'c' },
						],
					},
				},
			}),
			'b',
		);
		assert.deepEqual(
			form?.scopes.map(({ id, title }) => [id, title]),
			[
				['s', 's'],
				['a', 'Count'],
				['conversation', 'conversation'],
				['sys', 'sys'],
			],
		);
		assert.deepEqual(form?.scopes[1]?.variables, [{ name: 'length', type: 'number' }]);
	});
});

/** Returns a value with all fields of a schema, with recursive parts three levels deep. */
function createSample(schema_: JsonSchema, level = 0): unknown {
	const { anyOf, usually, ...own } = resolveSchema(schema_, schema.file);
	const [first] = [...(anyOf ?? []), ...(usually ?? [])];
	const form = first ? { ...own, ...resolveSchema(first, schema.file) } : own;
	const type = [form.type].flat()[0];
	if (level > 6) {
		return undefined;
	}
	switch (type) {
		case 'object':
			return form.properties
				? Object.fromEntries(Object.entries(form.properties).map(([name, inner]) => [name, createSample(inner, level + 1)]))
				: { some: createSample(typeof form.additionalProperties === 'object' ? form.additionalProperties : {}, level + 1) };
		case 'array':
			return form.refers ? ['start', 'q'] : [createSample(form.items ?? {}, level + 1)];
		case 'boolean':
			return true;
		case 'number':
			return 1;
		default:
			return form.enum?.[0] ?? form.known?.[0] ?? (form.numeric ? 1 : 'x');
	}
}

/** Returns the paths of all fields in a value. Selectors and values without a schema count as one field. */
function listPaths(value: unknown, at: readonly (string | number)[]): readonly string[] {
	const isName = Array.isArray(value) && value.join() === 'start,q';
	const inner = typeof value === 'object' && value !== null && !isName ? Object.entries(value) : [];
	const isFree = inner.length === 1 && inner[0]?.[0] === 'some' && typeof inner[0][1] !== 'object';
	return [
		JSON.stringify(at),
		...(isFree
			? []
			: inner.flatMap(([name, each]) => (each === undefined ? [] : listPaths(each, [...at, Array.isArray(value) ? Number(name) : name])))),
	];
}
