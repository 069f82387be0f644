import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { parse } from 'yaml';
import { root } from '../../../scripts/lib/paths.ts';
import type { Session } from '../driver/session.ts';
import { waitUntil } from '../driver/waitUntil.ts';
import type { Workbench } from '../driver/workbench.ts';
import { GraphBuilder } from './graphBuilder.ts';

/** What of an agent counts, whoever wrote it: nodes by their IDs with some of their fields, edges with their handles, variables. */
interface Built {
	readonly nodes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	readonly edges: readonly string[];
	readonly environment: readonly unknown[];
}

/** biome-ignore lint/suspicious/noExplicitAny: a file as it is */
type Content = any;

/** Fields of nodes that are compared; of models the name alone, of lists what is named. */
function builtOf(text: string): Built {
	const { graph, environment_variables: environment } = (parse(text) as Content).workflow;
	const plain = (items: Content[] | undefined, ...names: string[]) =>
		items?.map(item => (Array.isArray(item) ? item : Object.fromEntries(names.map(name => [name, item[name]]))));
	const nodes = graph.nodes.map(({ id, data }: Content) => [
		id,
		{
			type: data.type,
			title: data.title,
			model: data.model?.name,
			query: data.query ?? data.query_variable_selector,
			template: data.template,
			code: data.code,
			instruction: data.instruction || undefined,
			classes: plain(data.classes, 'name'),
			prompt: plain(data.prompt_template, 'role', 'text'),
			// one that nobody said is required is not
			parameters: plain(data.parameters, 'name', 'type', 'description', 'required')?.map(each => ({
				required: false,
				...JSON.parse(JSON.stringify(each)),
			})),
			cases: data.cases?.map(({ conditions }: Content) => plain(conditions, 'variable_selector', 'comparison_operator', 'value')),
			variables: plain(data.variables, 'variable', 'value_selector', 'label', 'type'),
			outputs: plain(Array.isArray(data.outputs) ? data.outputs : undefined, 'variable', 'value_selector') ?? data.outputs,
		},
	]);
	// ways out by their place: the canvas chooses the IDs of classes and cases
	const ways = (id: string): string[] => {
		const { classes = [], cases = [] } = graph.nodes.find((node: Content) => node.id === id).data;
		return [...classes.map((each: Content) => each.id), ...cases.map((each: Content) => each.case_id)];
	};
	const edges = graph.edges.map(({ source, sourceHandle, target }: Content) => {
		const way = ways(source).indexOf(sourceHandle) + 1;
		return `${source} ${way || sourceHandle} ${target}`;
	});
	// what is not there is not compared
	return JSON.parse(
		JSON.stringify({
			nodes: Object.fromEntries(nodes),
			edges: edges.toSorted(),
			environment: plain(environment, 'name', 'value_type', 'value'),
		}),
	) as Built;
}

const support = fs.readFileSync(path.join(root, 'samples', 'agents', 'support.yml'), 'utf8');
const wanted = parse(support).workflow.graph.nodes as Content[];
const dataOf = (id: string): Content => wanted.find(node => node.id === id).data;

/** An empty file, open as a graph in the place of its text. */
async function emptyGraph(workbench: Workbench, name: string): Promise<Frame> {
	fs.writeFileSync(path.join(workbench.folder, 'agents', name), '');
	await workbench.openFile(name);
	await workbench.runCommand('View: Reopen Editor With...');
	await workbench.quickInput.pick('Agent Graph');
	// the editor gives the frame of a custom editor no title: the page has one
	const frame = await waitUntil('the page of the editor', async () => {
		for (const each of workbench.page.frames()) {
			if ((await each.title().catch(() => '')) === `Graph of ${name}`) {
				return each;
			}
		}
		return undefined;
	});
	await frame.getByText('This file is empty.').waitFor();
	return frame;
}

/** Tests that build an agent from an empty file on its canvas, without its text. */
export function testBuildSupport(session: Session): void {
	// a file of its own for each try: what one that failed has left is in nobody's way
	let tries = 0;
	beforeEach(async () => {
		tries++;
		await session.workbench.closeEditors();
		await session.workbench.showSideBar(false);
	});
	after(async () => {
		await session.workbench.closeEditors();
		await session.workbench.showSideBar(true);
	});

	/** What the file has, once it has what was done last. */
	async function stored(name: string, hasLast: (built: Built) => boolean): Promise<Built> {
		await session.workbench.runCommand('File: Save All Files').catch(() => undefined);
		const file = path.join(session.workbench.folder, 'agents', name);
		return waitUntil('the file as it was built', () => {
			const text = fs.readFileSync(file, 'utf8');
			const built = text === '' ? undefined : builtOf(text);
			return built && hasLast(built) ? built : undefined;
		});
	}

	it('builds the sample “support” by mouse', async function () {
		this.timeout(600_000);
		const { workbench } = session;
		const name = `desk_${tries}`;
		const frame = await emptyGraph(workbench, `${name}.yml`);
		const graph = new GraphBuilder(workbench.page, frame);
		await frame.getByRole('button', { name: 'Workflow' }).click();
		await graph.node('Start').waitFor();

		await frame.getByRole('button', { name: 'Name and variables of the agent' }).click();
		await graph.addTo('Environment variables');
		const desk = graph.item('Environment variables 1');
		await graph.fill(desk, 'Name', 'desk');
		await graph.choose(desk, 'Value type', 'string');
		await graph.fill(desk, 'Value', 'Tidewatch support');
		await graph.node('Start').click();
		await frame.getByRole('form', { name: 'Start: fields' }).waitFor();
		for (const [at, variable] of dataOf('start').variables.entries()) {
			await graph.addTo('Variables');
			const input = graph.item(`Variables ${at + 1}`);
			await graph.fill(input, 'Variable', variable.variable);
			await graph.fill(input, 'Label', variable.label);
			await graph.choose(input, 'Type', variable.type);
		}

		await graph.pull('start', 'source', 'question-classifier');
		await graph.name('sort', dataOf('sort').title);
		await graph.choose(graph.group('Model'), 'Name', dataOf('sort').model.name);
		await graph.fill(graph.form, 'Instruction', dataOf('sort').instruction);
		for (const [at, each] of dataOf('sort').classes.entries()) {
			if (at > 1) {
				await graph.form.getByRole('button', { name: 'Add class' }).click();
			}
			await graph.fill(graph.item(`class ${at + 1}`), 'Name', each.name);
		}

		for (const [id, way] of [
			['answer_question', '1'],
			['answer_billing', '3'],
		] as const) {
			await graph.pull('sort', way, 'llm');
			await graph.name(id, dataOf(id).title);
			for (const [at, { text }] of dataOf(id).prompt_template.entries()) {
				await graph.set(graph.form.getByRole('textbox', { name: `message ${at + 1}: Text` }), text);
			}
		}

		await graph.pull('sort', '2', 'parameter-extractor');
		await graph.name('facts', dataOf('facts').title);
		await graph.choose(graph.form, 'Query', 'start.message');
		for (const [at, parameter] of dataOf('facts').parameters.entries()) {
			if (at > 0) {
				await graph.addTo('Parameters');
			}
			const item = graph.item(`Parameters ${at + 1}`);
			await graph.fill(item, 'Name', parameter.name);
			await graph.choose(item, 'Type', parameter.type);
			await graph.fill(item, 'Description', parameter.description);
			await item.getByRole('checkbox', { name: 'Required' }).setChecked(parameter.required);
		}

		await graph.pull('facts', 'source', 'if-else');
		await graph.name('is_urgent', dataOf('is_urgent').title);
		await graph.pick(graph.form.getByRole('combobox', { name: 'condition 1: Variable' }), 'facts.urgent');
		await graph.pick(graph.form.getByRole('combobox', { name: 'condition 1: Comparison' }), 'is');
		await graph.set(graph.form.getByRole('textbox', { name: 'condition 1: Compared with' }), 'true');

		for (const [from, way, id] of [
			['is_urgent', 'long', 'urgent_ticket'],
			['is_urgent', 'false', 'ticket'],
			['sort', '4', 'confirm_cancel'],
		] as const) {
			await graph.pull(from, way, 'template-transform');
			await graph.name(id, dataOf(id).title);
			await graph.fill(graph.form, 'Template', dataOf(id).template);
			await fillVariables(graph, 'Variables', dataOf(id).variables);
		}

		await graph.pull('answer_question', 'source', 'variable-aggregator');
		await graph.name('reply', dataOf('reply').title);
		for (const from of ['urgent_ticket', 'ticket', 'answer_billing', 'confirm_cancel']) {
			await graph.connect(from, 'source', 'reply');
		}
		await graph.show('reply');
		await graph.node(dataOf('reply').title).click();
		for (const [at, selector] of dataOf('reply').variables.entries()) {
			if (at > 0) {
				await graph.addTo('Variables');
			}
			await graph.pick(graph.form.getByRole('combobox', { name: `Variables ${at + 1}` }), selector.join('.'));
		}

		await graph.pull('reply', 'source', 'code');
		await graph.name('card', dataOf('card').title);
		await graph.fill(graph.form, 'Code', dataOf('card').code);
		await fillVariables(graph, 'Variables', dataOf('card').variables);
		for (const [at, [name, { type }]] of (Object.entries(dataOf('card').outputs) as [string, Content][]).entries()) {
			if (at > 0) {
				await graph.addTo('Outputs');
			}
			const key = graph.item('result').getByRole('textbox', { name: 'Name', exact: true });
			await graph.set(key, name);
			await graph.choose(graph.item(name), 'Type', type);
		}

		await graph.pull('card', 'source', 'end');
		await graph.name('end', dataOf('end').title);
		await fillVariables(graph, 'Outputs', dataOf('end').outputs);
		await workbench.screenshot('graph-built-support');

		const built = await stored(`${name}.yml`, ({ nodes }) => JSON.stringify(nodes['end'] ?? '').includes('"card","priority"'));
		const expected = builtOf(support);
		assert.deepEqual(built.nodes, expected.nodes);
		assert.deepEqual(built.edges, expected.edges);
		assert.deepEqual(built.environment, expected.environment);

		const inputs = fs.readFileSync(path.join(workbench.folder, 'runs', 'support-fault.run.json'), 'utf8');
		fs.writeFileSync(path.join(workbench.folder, 'runs', `${name}.run.json`), inputs.replace('"support"', `"${name}"`));
		await frame.getByRole('button', { name: 'Open as text' }).click();
		await workbench.page.locator('.monaco-editor.focused').waitFor();
		await workbench.runCommand('Agent Workbench: Run Draft of Agent');
		await workbench.quickInput.pick(`${name}.run.json`);
		await frame.locator('.runWords', { hasText: 'succeeded' }).waitFor();
	});

	// each kind of gesture once: what the mouse did with twelve nodes
	it('builds an agent from an empty file with the keyboard alone', async function () {
		this.timeout(600_000);
		const { workbench } = session;
		const { keyboard } = workbench.page;
		const name = `keys_${tries}.yml`;
		const frame = await emptyGraph(workbench, name);
		const selected = (title: string) => frame.locator('.node.selected').filter({ hasText: title }).waitFor();
		const box = (name: string) => frame.getByRole('combobox', { name }).waitFor();
		const onCanvas = () => frame.locator('.canvas:focus').waitFor();
		/** Chooses what the box that is open offers for some words. */
		const take = async (name: string, words = '') => {
			await box(name);
			await keyboard.type(words);
			await keyboard.press('Enter');
		};
		await frame.locator('.beginning button:focus', { hasText: 'Workflow' }).waitFor();
		await keyboard.press('Enter');
		await selected('Start');
		await onCanvas();
		await keyboard.press('Tab');
		await frame.locator('#field-id-of-node:focus').waitFor();
		await keyboard.type('begin');
		await keyboard.press('Tab');
		await frame.locator('.node.selected[data-node="begin"]').waitFor();
		await frame.locator('#field-title:focus').waitFor();
		await keyboard.press('Tab');
		await frame.getByRole('button', { name: 'Add to “Variables”' }).and(frame.locator(':focus')).waitFor();
		await keyboard.press('Enter');
		await frame.locator('#field-variables-0-variable:focus').waitFor();
		await keyboard.type('message');
		await keyboard.press('Escape');
		await onCanvas();
		await keyboard.press('a');
		await take('Search types of nodes', 'question');
		await selected('question-classifier');
		await onCanvas();
		await keyboard.press('a');
		await take('Way out of Which kind');
		await take('Search types of nodes', 'template');
		await selected('template-transform');
		await onCanvas();
		await keyboard.press('a');
		await take('Search types of nodes', 'end');
		await selected('End');
		await onCanvas();
		await keyboard.press('ArrowLeft');
		await selected('template-transform');
		await keyboard.press('ArrowLeft');
		await selected('question-classifier');
		await keyboard.press('c');
		await box('Way out of Which kind');
		await keyboard.press('ArrowDown');
		await keyboard.press('Enter');
		await take('Connect Which kind to', 'End');
		await frame.locator('[data-source="question_classifier"][data-exit="2"][data-target="end"]').waitFor({ state: 'attached' });
		const built = await stored(name, ({ edges }) => edges.includes('question_classifier 2 end'));
		assert.deepEqual(built.edges, [
			'begin source question_classifier',
			'question_classifier 1 template_transform',
			'question_classifier 2 end',
			'template_transform source end',
		]);
		assert.deepEqual(built.nodes['begin']?.['variables'], [{ variable: 'message', type: 'text-input' }]);
	});
}

/** Names with the variables that they stand for: of a template, a program, an end. */
async function fillVariables(graph: GraphBuilder, list: string, variables: readonly Content[]): Promise<void> {
	for (const [at, { variable, value_selector: selector }] of variables.entries()) {
		if (at > 0) {
			await graph.addTo(list);
		}
		const item: Locator = graph.item(`${list} ${at + 1}`);
		await graph.fill(item, 'Variable', variable);
		await graph.choose(item, 'Value selector', selector.join('.'));
	}
}
