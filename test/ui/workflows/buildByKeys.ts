import type { Session } from '../driver/session.ts';
import { type Content, getSampleData, openEmptyGraph } from './builtAgent.ts';
import { GraphKeys } from './graphKeys.ts';

/** Builds the sample `support` from an empty file by keyboard only. */
export async function buildAgentByKeyboard({ workbench }: Session, file: string): Promise<void> {
	const frame = await openEmptyGraph(workbench, file);
	const keys = new GraphKeys(workbench.page, frame);
	const setNodeName = (id: string) => keys.setNodeName(id, getSampleData(id).title);
	const selectNode = (id: string) => keys.selectNode(id);

	await frame.locator('.beginning button:focus', { hasText: 'Workflow' }).waitFor();
	await keys.pressKey('Enter');
	await frame.locator('.node.selected').filter({ hasText: 'Start' }).waitFor();
	await frame.locator('.canvas:focus').waitFor();

	await keys.pressKey('Escape');
	await keys.pressKey('Shift+F10');
	await keys.chooseOption('Graph actions', 'name and variables');
	const desk = await keys.addListItem("Add to 'Environment variables'", 'Environment variables 1');
	await keys.fillField(keys.getFormField('Name', desk), 'desk');
	await keys.chooseValue(keys.getFormField('Value type', desk), 'string');
	await keys.fillField(keys.getFormField('Value', desk), 'Tidewatch support');

	await selectNode('start');
	for (const [at, variable] of getSampleData('start').variables.entries()) {
		const input = await keys.addListItem("Add to 'Variables'", `Variables ${at + 1}`);
		await keys.fillField(keys.getFormField('Variable', input), variable.variable);
		await keys.fillField(keys.getFormField('Label', input), variable.label);
		await keys.chooseValue(keys.getFormField('Type', input), variable.type);
	}

	await keys.addNode('question-classifier');
	await setNodeName('sort');
	await keys.fillField(keys.getFormField('Instruction'), getSampleData('sort').instruction);
	await keys.chooseValue(keys.getFormField('Name', keys.getFieldGroup('Model')), getSampleData('sort').model.name);
	for (const [at, { name }] of getSampleData('sort').classes.entries()) {
		const item = at > 1 ? await keys.addListItem('Add class', `class ${at + 1}`) : keys.getListItem(`class ${at + 1}`);
		await keys.fillField(keys.getFormField('Name', item), name);
	}

	for (const [id, way] of [
		['answer_question', 0],
		['answer_billing', 2],
	] as const) {
		await selectNode('sort');
		await keys.addNode('llm', way);
		await setNodeName(id);
		for (const [at, { text }] of getSampleData(id).prompt_template.entries()) {
			await keys.fillField(keys.form.getByRole('textbox', { name: `message ${at + 1}: Text` }), text);
		}
	}

	await selectNode('sort');
	await keys.addNode('parameter-extractor', 1);
	await setNodeName('facts');
	await keys.chooseValue(keys.getFormField('Query'), 'start.message');
	for (const [at, parameter] of getSampleData('facts').parameters.entries()) {
		const item = at > 0 ? await keys.addListItem("Add to 'Parameters'", `Parameters ${at + 1}`) : keys.getListItem('Parameters 1');
		await keys.fillField(keys.getFormField('Name', item), parameter.name);
		await keys.chooseValue(keys.getFormField('Type', item), parameter.type);
		await keys.fillField(keys.getFormField('Description', item), parameter.description);
		await keys.setCheckbox(item.getByRole('checkbox', { name: 'Required' }), parameter.required);
	}

	await keys.addNode('if-else');
	await setNodeName('is_urgent');
	await keys.chooseValue(keys.form.getByRole('combobox', { name: 'condition 1: Variable' }), 'facts.urgent');
	await keys.chooseValue(keys.form.getByRole('combobox', { name: 'condition 1: Comparison' }), 'is');
	await keys.fillField(keys.form.getByRole('textbox', { name: 'condition 1: Compared with' }), 'true');

	for (const [from, way, id] of [
		['is_urgent', 0, 'urgent_ticket'],
		['is_urgent', 1, 'ticket'],
		['sort', 3, 'confirm_cancel'],
	] as const) {
		await selectNode(from);
		await keys.addNode('template-transform', way);
		await setNodeName(id);
		await keys.fillField(keys.getFormField('Template'), getSampleData(id).template);
		await fillVariables(keys, 'Variables', getSampleData(id).variables);
	}

	await selectNode('answer_question');
	await keys.addNode('variable-aggregator');
	await setNodeName('reply');
	for (const from of ['urgent_ticket', 'ticket', 'answer_billing', 'confirm_cancel']) {
		await selectNode(from);
		await keys.connectSelectedNode(getSampleData('reply').title);
		await frame.locator(`[data-source="${from}"][data-target="reply"]`).waitFor({ state: 'attached' });
	}
	await selectNode('reply');
	for (const [at, selector] of getSampleData('reply').variables.entries()) {
		if (at > 0) {
			await keys.addListItem("Add to 'Variables'", `Variables ${at + 1}`);
		}
		await keys.chooseValue(keys.form.getByRole('combobox', { name: `Variables ${at + 1}` }), selector.join('.'));
	}

	await keys.addNode('code');
	await setNodeName('card');
	await keys.fillField(keys.getFormField('Code'), getSampleData('card').code);
	await fillVariables(keys, 'Variables', getSampleData('card').variables);
	for (const [at, [name, { type }]] of (Object.entries(getSampleData('card').outputs) as [string, Content][]).entries()) {
		const item = at > 0 ? await keys.addListItem("Add to 'Outputs'", 'result') : keys.getListItem('result');
		await keys.fillField(item.getByRole('textbox', { name: 'Name', exact: true }), name);
		await keys.pressKey('Enter');
		await keys.chooseValue(keys.getFormField('Type', keys.getListItem(name)), type);
	}

	await keys.addNode('end');
	await setNodeName('end');
	await fillVariables(keys, 'Outputs', getSampleData('end').outputs);
	await keys.focusCanvas();
	await workbench.takeScreenshot('graph-built-by-keys');
}

/** Fills in variable names with their references, for a template, a program or an end node. */
async function fillVariables(keys: GraphKeys, list: string, variables: readonly Content[]): Promise<void> {
	for (const [at, { variable, value_selector: selector }] of variables.entries()) {
		const item = at > 0 ? await keys.addListItem(`Add to '${list}'`, `${list} ${at + 1}`) : keys.getListItem(`${list} 1`);
		await keys.fillField(keys.getFormField('Variable', item), variable);
		await keys.chooseValue(keys.getFormField('Value selector', item), selector.join('.'));
	}
}
