import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { Session } from '../driver/session.ts';
import { buildByKeys } from './buildByKeys.ts';
import { builtOf, type Content, dataOf, emptyGraph, hasEnd, stored, support } from './builtAgent.ts';
import { GraphBuilder } from './graphBuilder.ts';

/** Defines the tests that build an agent from an empty file on its canvas, without its text. */
export function testBuildSupport(session: Session): void {
	// a separate file for each attempt, so that remains of a failed one don't disturb the next
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

	it("builds the sample 'support' by mouse", async function () {
		this.timeout(600_000);
		const { workbench } = session;
		const name = `desk_${tries}`;
		const frame = await emptyGraph(workbench, `${name}.yml`);
		const graph = new GraphBuilder(workbench.page, frame);
		await frame.getByRole('button', { name: 'Workflow' }).click();
		await graph.node('Start').waitFor();

		await frame.getByRole('button', { name: 'Agent name and variables' }).click();
		await graph.addTo('Environment variables');
		const desk = graph.item('Environment variables 1');
		await graph.fill(desk, 'Name', 'desk');
		await graph.choose(desk, 'Value type', 'string');
		await graph.fill(desk, 'Value', 'Tidewatch support');
		await graph.node('Start').click();
		await frame.getByRole('form', { name: "Fields of 'Start'" }).waitFor();
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
			['is_urgent', 'true', 'urgent_ticket'],
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

		const built = await stored(session, `${name}.yml`, hasEnd);
		const expected = builtOf(support);
		assert.deepEqual(built.nodes, expected.nodes);
		assert.deepEqual(built.edges, expected.edges);
		assert.deepEqual(built.environment, expected.environment);

		const inputs = fs.readFileSync(path.join(workbench.folder, 'runs', 'support-fault.run.json'), 'utf8');
		fs.writeFileSync(path.join(workbench.folder, 'runs', `${name}.run.json`), inputs.replace('"support"', `"${name}"`));
		await frame.getByRole('button', { name: 'Open as text' }).click();
		await workbench.page.locator('.monaco-editor.focused').waitFor();
		await workbench.runCommand('Agent Workbench: Run Draft');
		await workbench.quickInput.pick(`${name}.run.json`);
		await frame.locator('.runWords', { hasText: 'succeeded' }).waitFor();
	});

	it('builds the same by keyboard', async function () {
		this.timeout(900_000);
		const name = `keys_${tries}.yml`;
		await buildByKeys(session, name);
		const built = await stored(session, name, hasEnd);
		const expected = builtOf(support);
		assert.deepEqual(built.nodes, expected.nodes);
		assert.deepEqual(built.edges, expected.edges);
		assert.deepEqual(built.environment, expected.environment);
	});
}

/** Fills in variable names with their references, for a template, a program or an end node. */
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
