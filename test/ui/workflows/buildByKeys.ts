import type { Session } from '../driver/session.ts';
import { type Content, dataOf, emptyGraph } from './builtAgent.ts';
import { GraphKeys } from './graphKeys.ts';

/** Builds the sample `support` from an empty file by keyboard only. */
export async function buildByKeys({ workbench }: Session, file: string): Promise<void> {
	const frame = await emptyGraph(workbench, file);
	const keys = new GraphKeys(workbench.page, frame);
	const setName = (id: string) => keys.name(id, dataOf(id).title);
	const goTo = (id: string) => keys.goTo(id);

	await frame.locator('.beginning button:focus', { hasText: 'Workflow' }).waitFor();
	await keys.press('Enter');
	await frame.locator('.node.selected').filter({ hasText: 'Start' }).waitFor();
	await frame.locator('.canvas:focus').waitFor();

	await keys.press('Escape');
	await keys.press('Shift+F10');
	await keys.take('Graph actions', 'name and variables');
	const desk = await keys.add("Add to 'Environment variables'", 'Environment variables 1');
	await keys.fill(keys.field('Name', desk), 'desk');
	await keys.choose(keys.field('Value type', desk), 'string');
	await keys.fill(keys.field('Value', desk), 'Tidewatch support');

	await goTo('start');
	for (const [at, variable] of dataOf('start').variables.entries()) {
		const input = await keys.add("Add to 'Variables'", `Variables ${at + 1}`);
		await keys.fill(keys.field('Variable', input), variable.variable);
		await keys.fill(keys.field('Label', input), variable.label);
		await keys.choose(keys.field('Type', input), variable.type);
	}

	await keys.addBehind('question-classifier');
	await setName('sort');
	await keys.fill(keys.field('Instruction'), dataOf('sort').instruction);
	await keys.choose(keys.field('Name', keys.group('Model')), dataOf('sort').model.name);
	for (const [at, { name }] of dataOf('sort').classes.entries()) {
		const item = at > 1 ? await keys.add('Add class', `class ${at + 1}`) : keys.item(`class ${at + 1}`);
		await keys.fill(keys.field('Name', item), name);
	}

	for (const [id, way] of [
		['answer_question', 0],
		['answer_billing', 2],
	] as const) {
		await goTo('sort');
		await keys.addBehind('llm', way);
		await setName(id);
		for (const [at, { text }] of dataOf(id).prompt_template.entries()) {
			await keys.fill(keys.form.getByRole('textbox', { name: `message ${at + 1}: Text` }), text);
		}
	}

	await goTo('sort');
	await keys.addBehind('parameter-extractor', 1);
	await setName('facts');
	await keys.choose(keys.field('Query'), 'start.message');
	for (const [at, parameter] of dataOf('facts').parameters.entries()) {
		const item = at > 0 ? await keys.add("Add to 'Parameters'", `Parameters ${at + 1}`) : keys.item('Parameters 1');
		await keys.fill(keys.field('Name', item), parameter.name);
		await keys.choose(keys.field('Type', item), parameter.type);
		await keys.fill(keys.field('Description', item), parameter.description);
		await keys.check(item.getByRole('checkbox', { name: 'Required' }), parameter.required);
	}

	await keys.addBehind('if-else');
	await setName('is_urgent');
	await keys.choose(keys.form.getByRole('combobox', { name: 'condition 1: Variable' }), 'facts.urgent');
	await keys.choose(keys.form.getByRole('combobox', { name: 'condition 1: Comparison' }), 'is');
	await keys.fill(keys.form.getByRole('textbox', { name: 'condition 1: Compared with' }), 'true');

	for (const [from, way, id] of [
		['is_urgent', 0, 'urgent_ticket'],
		['is_urgent', 1, 'ticket'],
		['sort', 3, 'confirm_cancel'],
	] as const) {
		await goTo(from);
		await keys.addBehind('template-transform', way);
		await setName(id);
		await keys.fill(keys.field('Template'), dataOf(id).template);
		await fillVariables(keys, 'Variables', dataOf(id).variables);
	}

	await goTo('answer_question');
	await keys.addBehind('variable-aggregator');
	await setName('reply');
	for (const from of ['urgent_ticket', 'ticket', 'answer_billing', 'confirm_cancel']) {
		await goTo(from);
		await keys.connect(dataOf('reply').title);
		await frame.locator(`[data-source="${from}"][data-target="reply"]`).waitFor({ state: 'attached' });
	}
	await goTo('reply');
	for (const [at, selector] of dataOf('reply').variables.entries()) {
		if (at > 0) {
			await keys.add("Add to 'Variables'", `Variables ${at + 1}`);
		}
		await keys.choose(keys.form.getByRole('combobox', { name: `Variables ${at + 1}` }), selector.join('.'));
	}

	await keys.addBehind('code');
	await setName('card');
	await keys.fill(keys.field('Code'), dataOf('card').code);
	await fillVariables(keys, 'Variables', dataOf('card').variables);
	for (const [at, [name, { type }]] of (Object.entries(dataOf('card').outputs) as [string, Content][]).entries()) {
		const item = at > 0 ? await keys.add("Add to 'Outputs'", 'result') : keys.item('result');
		await keys.fill(item.getByRole('textbox', { name: 'Name', exact: true }), name);
		await keys.press('Enter');
		await keys.choose(keys.field('Type', keys.item(name)), type);
	}

	await keys.addBehind('end');
	await setName('end');
	await fillVariables(keys, 'Outputs', dataOf('end').outputs);
	await keys.toCanvas();
	await workbench.screenshot('graph-built-by-keys');
}

/** Fills in variable names with their references, for a template, a program or an end node. */
async function fillVariables(keys: GraphKeys, list: string, variables: readonly Content[]): Promise<void> {
	for (const [at, { variable, value_selector: selector }] of variables.entries()) {
		const item = at > 0 ? await keys.add(`Add to '${list}'`, `${list} ${at + 1}`) : keys.item(`${list} 1`);
		await keys.fill(keys.field('Variable', item), variable);
		await keys.choose(keys.field('Value selector', item), selector.join('.'));
	}
}
