import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { Session } from '../driver/session.ts';
import { buildAgentByKeyboard } from './buildByKeys.ts';
import { type Content, getSampleData, hasEndNode, openEmptyGraph, parseBuiltAgent, support, waitForBuiltAgent } from './builtAgent.ts';
import { GraphBuilder } from './graphBuilder.ts';

/** Defines the tests that build an agent from an empty file on the canvas only, without the text editor. */
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

		await frame.getByRole('button', { name: 'More actions' }).click();
		await frame.getByRole('option', { name: 'Agent name and variables' }).click();
		await graph.addListItem('Environment variables');
		const desk = graph.getListItem('Environment variables 1');
		await graph.fillField(desk, 'Name', 'desk');
		await graph.chooseValue(desk, 'Value type', 'string');
		await graph.fillField(desk, 'Value', 'Tidewatch support');
		await graph.getNode('Start').click();
		await frame.getByRole('form', { name: "Fields of 'Start'" }).waitFor();
		for (const [at, variable] of getSampleData('start').variables.entries()) {
			await graph.addListItem('Variables');
			const input = graph.getListItem(`Variables ${at + 1}`);
			await graph.fillField(input, 'Variable', variable.variable);
			await graph.fillField(input, 'Label', variable.label);
			await graph.chooseValue(input, 'Type', variable.type);
		}

		await graph.addNode('start', 'source', 'question-classifier');
		await graph.setNodeName('sort', getSampleData('sort').title);
		await graph.chooseValue(graph.getFieldGroup('Model'), 'Name', getSampleData('sort').model.name);
		await graph.fillField(graph.form, 'Instruction', getSampleData('sort').instruction);
		for (const [at, each] of getSampleData('sort').classes.entries()) {
			if (at > 1) {
				await graph.form.getByRole('button', { name: 'Add class' }).click();
			}
			await graph.fillField(graph.getListItem(`class ${at + 1}`), 'Name', each.name);
		}

		for (const [id, way] of [
			['answer_question', '1'],
			['answer_billing', '3'],
		] as const) {
			await graph.addNode('sort', way, 'llm');
			await graph.setNodeName(id, getSampleData(id).title);
			for (const [at, { text }] of getSampleData(id).prompt_template.entries()) {
				await graph.setFieldText(graph.form.getByRole('textbox', { name: `message ${at + 1}: Text` }), text);
			}
		}

		await graph.addNode('sort', '2', 'parameter-extractor');
		await graph.setNodeName('facts', getSampleData('facts').title);
		await graph.chooseValue(graph.form, 'Query', 'start.message');
		for (const [at, parameter] of getSampleData('facts').parameters.entries()) {
			if (at > 0) {
				await graph.addListItem('Parameters');
			}
			const item = graph.getListItem(`Parameters ${at + 1}`);
			await graph.fillField(item, 'Name', parameter.name);
			await graph.chooseValue(item, 'Type', parameter.type);
			await graph.fillField(item, 'Description', parameter.description);
			await item.getByRole('checkbox', { name: 'Required' }).setChecked(parameter.required);
		}

		await graph.addNode('facts', 'source', 'if-else');
		await graph.setNodeName('is_urgent', getSampleData('is_urgent').title);
		await graph.pickFieldValue(graph.form.getByRole('combobox', { name: 'condition 1: Variable' }), 'facts.urgent');
		await graph.pickFieldValue(graph.form.getByRole('combobox', { name: 'condition 1: Comparison' }), 'is');
		await graph.setFieldText(graph.form.getByRole('textbox', { name: 'condition 1: Compared with' }), 'true');

		for (const [from, way, id] of [
			['is_urgent', 'true', 'urgent_ticket'],
			['is_urgent', 'false', 'ticket'],
			['sort', '4', 'confirm_cancel'],
		] as const) {
			await graph.addNode(from, way, 'template-transform');
			await graph.setNodeName(id, getSampleData(id).title);
			await graph.fillField(graph.form, 'Template', getSampleData(id).template);
			await fillVariables(graph, 'Variables', getSampleData(id).variables);
		}

		await graph.addNode('answer_question', 'source', 'variable-aggregator');
		await graph.setNodeName('reply', getSampleData('reply').title);
		for (const from of ['urgent_ticket', 'ticket', 'answer_billing', 'confirm_cancel']) {
			await graph.connectNodes(from, 'source', 'reply');
		}
		await graph.centerNode('reply');
		await graph.getNode(getSampleData('reply').title).click();
		for (const [at, selector] of getSampleData('reply').variables.entries()) {
			if (at > 0) {
				await graph.addListItem('Variables');
			}
			await graph.pickFieldValue(graph.form.getByRole('combobox', { name: `Variables ${at + 1}` }), selector.join('.'));
		}

		await graph.addNode('reply', 'source', 'code');
		await graph.setNodeName('card', getSampleData('card').title);
		await graph.fillField(graph.form, 'Code', getSampleData('card').code);
		await fillVariables(graph, 'Variables', getSampleData('card').variables);
		for (const [at, [name, { type }]] of (Object.entries(getSampleData('card').outputs) as [string, Content][]).entries()) {
			if (at > 0) {
				await graph.addListItem('Outputs');
			}
			const key = graph.getListItem('result').getByRole('textbox', { name: 'Name', exact: true });
			await graph.setFieldText(key, name);
			await graph.chooseValue(graph.getListItem(name), 'Type', type);
		}

		await graph.addNode('card', 'source', 'end');
		await graph.setNodeName('end', getSampleData('end').title);
		await fillVariables(graph, 'Outputs', getSampleData('end').outputs);
		await workbench.takeScreenshot('graph-built-support');

		const built = await waitForBuiltAgent(session, `${name}.yml`, hasEndNode);
		const expected = parseBuiltAgent(support);
		assert.deepEqual(built.nodes, expected.nodes);
		assert.deepEqual(built.edges, expected.edges);
		assert.deepEqual(built.environment, expected.environment);

		const inputs = fs.readFileSync(path.join(workbench.folder, 'runs', 'support-fault.run.json'), 'utf8');
		fs.writeFileSync(path.join(workbench.folder, 'runs', `${name}.run.json`), inputs.replace('"support"', `"${name}"`));
		await frame.getByRole('button', { name: /^Run draft/ }).click();
		await workbench.quickInput.pickOption(`${name}.run.json`);
		await frame.locator('.runWords', { hasText: 'succeeded' }).waitFor();
	});

	it('builds the same by keyboard', async function () {
		this.timeout(900_000);
		const name = `keys_${tries}.yml`;
		await buildAgentByKeyboard(session, name);
		const built = await waitForBuiltAgent(session, name, hasEndNode);
		const expected = parseBuiltAgent(support);
		assert.deepEqual(built.nodes, expected.nodes);
		assert.deepEqual(built.edges, expected.edges);
		assert.deepEqual(built.environment, expected.environment);
	});
}

/** Fills in variable names with their references, for a template, a program or an end node. */
async function fillVariables(graph: GraphBuilder, list: string, variables: readonly Content[]): Promise<void> {
	for (const [at, { variable, value_selector: selector }] of variables.entries()) {
		if (at > 0) {
			await graph.addListItem(list);
		}
		const item: Locator = graph.getListItem(`${list} ${at + 1}`);
		await graph.fillField(item, 'Variable', variable);
		await graph.chooseValue(item, 'Value selector', selector.join('.'));
	}
}
