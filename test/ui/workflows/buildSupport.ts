import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { Session } from '../driver/session.ts';
import { buildByKeys } from './buildByKeys.ts';
import { type Content, getSampleData, hasEnd, openEmptyGraph, parseBuilt, support, waitForBuilt } from './builtAgent.ts';
import { GraphBuilder } from './graphBuilder.ts';

/** Defines the tests that build an agent from an empty file on its canvas, without its text. */
export function testBuildSupport(session: Session): void {
	// a separate file for each attempt, so that leftovers from a failed one don't affect the next
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
		const frame = await openEmptyGraph(workbench, `${name}.yml`);
		const graph = new GraphBuilder(workbench.page, frame);
		await frame.getByRole('button', { name: 'Workflow' }).click();
		await graph.getNode('Start').waitFor();

		await frame.getByRole('button', { name: 'Agent name and variables' }).click();
		await graph.addItem('Environment variables');
		const desk = graph.getItem('Environment variables 1');
		await graph.fill(desk, 'Name', 'desk');
		await graph.choose(desk, 'Value type', 'string');
		await graph.fill(desk, 'Value', 'Tidewatch support');
		await graph.getNode('Start').click();
		await frame.getByRole('form', { name: "Fields of 'Start'" }).waitFor();
		for (const [at, variable] of getSampleData('start').variables.entries()) {
			await graph.addItem('Variables');
			const input = graph.getItem(`Variables ${at + 1}`);
			await graph.fill(input, 'Variable', variable.variable);
			await graph.fill(input, 'Label', variable.label);
			await graph.choose(input, 'Type', variable.type);
		}

		await graph.addNode('start', 'source', 'question-classifier');
		await graph.setName('sort', getSampleData('sort').title);
		await graph.choose(graph.getGroup('Model'), 'Name', getSampleData('sort').model.name);
		await graph.fill(graph.form, 'Instruction', getSampleData('sort').instruction);
		for (const [at, each] of getSampleData('sort').classes.entries()) {
			if (at > 1) {
				await graph.form.getByRole('button', { name: 'Add class' }).click();
			}
			await graph.fill(graph.getItem(`class ${at + 1}`), 'Name', each.name);
		}

		for (const [id, way] of [
			['answer_question', '1'],
			['answer_billing', '3'],
		] as const) {
			await graph.addNode('sort', way, 'llm');
			await graph.setName(id, getSampleData(id).title);
			for (const [at, { text }] of getSampleData(id).prompt_template.entries()) {
				await graph.setText(graph.form.getByRole('textbox', { name: `message ${at + 1}: Text` }), text);
			}
		}

		await graph.addNode('sort', '2', 'parameter-extractor');
		await graph.setName('facts', getSampleData('facts').title);
		await graph.choose(graph.form, 'Query', 'start.message');
		for (const [at, parameter] of getSampleData('facts').parameters.entries()) {
			if (at > 0) {
				await graph.addItem('Parameters');
			}
			const item = graph.getItem(`Parameters ${at + 1}`);
			await graph.fill(item, 'Name', parameter.name);
			await graph.choose(item, 'Type', parameter.type);
			await graph.fill(item, 'Description', parameter.description);
			await item.getByRole('checkbox', { name: 'Required' }).setChecked(parameter.required);
		}

		await graph.addNode('facts', 'source', 'if-else');
		await graph.setName('is_urgent', getSampleData('is_urgent').title);
		await graph.pick(graph.form.getByRole('combobox', { name: 'condition 1: Variable' }), 'facts.urgent');
		await graph.pick(graph.form.getByRole('combobox', { name: 'condition 1: Comparison' }), 'is');
		await graph.setText(graph.form.getByRole('textbox', { name: 'condition 1: Compared with' }), 'true');

		for (const [from, way, id] of [
			['is_urgent', 'true', 'urgent_ticket'],
			['is_urgent', 'false', 'ticket'],
			['sort', '4', 'confirm_cancel'],
		] as const) {
			await graph.addNode(from, way, 'template-transform');
			await graph.setName(id, getSampleData(id).title);
			await graph.fill(graph.form, 'Template', getSampleData(id).template);
			await fillVariables(graph, 'Variables', getSampleData(id).variables);
		}

		await graph.addNode('answer_question', 'source', 'variable-aggregator');
		await graph.setName('reply', getSampleData('reply').title);
		for (const from of ['urgent_ticket', 'ticket', 'answer_billing', 'confirm_cancel']) {
			await graph.connect(from, 'source', 'reply');
		}
		await graph.centerNode('reply');
		await graph.getNode(getSampleData('reply').title).click();
		for (const [at, selector] of getSampleData('reply').variables.entries()) {
			if (at > 0) {
				await graph.addItem('Variables');
			}
			await graph.pick(graph.form.getByRole('combobox', { name: `Variables ${at + 1}` }), selector.join('.'));
		}

		await graph.addNode('reply', 'source', 'code');
		await graph.setName('card', getSampleData('card').title);
		await graph.fill(graph.form, 'Code', getSampleData('card').code);
		await fillVariables(graph, 'Variables', getSampleData('card').variables);
		for (const [at, [name, { type }]] of (Object.entries(getSampleData('card').outputs) as [string, Content][]).entries()) {
			if (at > 0) {
				await graph.addItem('Outputs');
			}
			const key = graph.getItem('result').getByRole('textbox', { name: 'Name', exact: true });
			await graph.setText(key, name);
			await graph.choose(graph.getItem(name), 'Type', type);
		}

		await graph.addNode('card', 'source', 'end');
		await graph.setName('end', getSampleData('end').title);
		await fillVariables(graph, 'Outputs', getSampleData('end').outputs);
		await workbench.takeScreenshot('graph-built-support');

		const built = await waitForBuilt(session, `${name}.yml`, hasEnd);
		const expected = parseBuilt(support);
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
		const built = await waitForBuilt(session, name, hasEnd);
		const expected = parseBuilt(support);
		assert.deepEqual(built.nodes, expected.nodes);
		assert.deepEqual(built.edges, expected.edges);
		assert.deepEqual(built.environment, expected.environment);
	});
}

/** Fills in variable names with their references, for a template, a program or an end node. */
async function fillVariables(graph: GraphBuilder, list: string, variables: readonly Content[]): Promise<void> {
	for (const [at, { variable, value_selector: selector }] of variables.entries()) {
		if (at > 0) {
			await graph.addItem(list);
		}
		const item: Locator = graph.getItem(`${list} ${at + 1}`);
		await graph.fill(item, 'Variable', variable);
		await graph.choose(item, 'Value selector', selector.join('.'));
	}
}
