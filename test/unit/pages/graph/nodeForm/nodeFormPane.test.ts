import assert from 'node:assert/strict';
import path from 'node:path';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { NodeForm } from '#pages/graph/nodeForm/formTypes.ts';
import { getNodeFormStrings } from '#pages/graph/nodeForm/nodeFormStrings.ts';
import { createAgentWith, createForm } from '../../../agentFile/edits/formOf.ts';
import type * as page from './formPage.ts';
import { type PageWindow, runPage } from './pageBundle.ts';

describe('node form on its page', () => {
	let loaded: PageWindow<typeof page>;
	let text: string;
	let shown: ReturnType<typeof page.createFormPage>;
	const node = 'n1';

	beforeEach(async () => {
		loaded = await runPage(path.join(import.meta.dirname, 'formPage.ts'));
	});
	afterEach(() => loaded.window.close());

	const getDocument = () => loaded.window.document;
	const waitUntilDrawn = () => new Promise(resolve => setTimeout(resolve, 0));
	const getInput = (id: string) => {
		const found = getDocument().getElementById(id);
		assert.ok(found, `no ${id} in ${getDocument().body.innerHTML.slice(0, 3000)}`);
		return found as HTMLInputElement;
	};
	/** Returns the requests of the form, copied so that `assert` can compare them. */
	const listRequests = (): page.Asked[] => JSON.parse(JSON.stringify(shown.asked));
	/** Data of the node in the file. */
	// biome-ignore lint/suspicious/noExplicitAny: whatever a file holds
	const getData = (): any => (new AgentReading(text).content as any).workflow.graph.nodes[1].data;
	const getForm = (): NodeForm | undefined => createForm(text, node);

	async function showForm(data: Readonly<Record<string, unknown>>, form?: (form: NodeForm) => NodeForm): Promise<void> {
		text = createAgentWith(data);
		shown = loaded.exports.createFormPage(getNodeFormStrings({ t: fillPlaceholders }));
		const made = getForm();
		assert.ok(made);
		await shown.show(form ? form(made) : made);
		await waitUntilDrawn();
	}

	/** Applies the last requested operation to the text and shows the new form. */
	async function applyLastRequest(): Promise<void> {
		const last = shown.asked.at(-1);
		assert.ok(last && ('edit' in last || 'typed' in last));
		const result = applyOperation(text, 'edit' in last ? last.edit : last.typed);
		assert.ok('changes' in result, JSON.stringify(result));
		for (const { offset, length, text: put } of result.changes.toSorted((a, b) => b.offset - a.offset)) {
			text = text.slice(0, offset) + put + text.slice(offset + length);
		}
		await shown.show(getForm());
		await waitUntilDrawn();
	}

	function typeText(id: string, value: string): void {
		const field = getInput(id);
		field.focus();
		field.value = value;
		field.dispatchEvent(new loaded.window.Event('input', { bubbles: true }));
	}

	async function pressKey(id: string, key: string, more: object = {}): Promise<void> {
		getInput(id).dispatchEvent(new loaded.window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
		await waitUntilDrawn();
	}

	function getButton(name: string): HTMLButtonElement {
		const found = [...getDocument().querySelectorAll('button')].find(
			each => (each.ariaLabel ?? each.getAttribute('aria-label') ?? each.textContent?.trim()) === name,
		);
		assert.ok(
			found,
			`no button ${name}: ${[...getDocument().querySelectorAll('button')].map(each => each.getAttribute('aria-label') ?? each.textContent?.trim()).join(', ')}`,
		);
		return found;
	}

	it('labels each input and shows its description', async () => {
		await showForm({ type: 'llm', model: { name: 'offline' }, prompt_template: [{ role: 'system', text: 'a' }] });
		for (const each of getDocument().querySelectorAll('input, textarea, select')) {
			const name = each.getAttribute('aria-label') ?? getDocument().querySelector(`label[for="${each.id}"]`)?.textContent;
			assert.ok(name?.trim(), each.outerHTML);
		}
		assert.match(getDocument().getElementById('field-model-name-help')?.textContent ?? '', /Name of the model/);
		const ids = [...getDocument().querySelectorAll('[id]')].map(({ id }) => id);
		assert.equal(new Set(ids).size, ids.length);
	});

	it('sends typed text on each key, and again on blur', async () => {
		await showForm({ type: 'answer', answer: 'a' });
		typeText('field-answer', 'ab');
		getInput('field-answer').blur();
		const set = { do: 'set', node, path: ['answer'], value: 'ab' };
		assert.deepEqual(listRequests(), [{ typed: set }, { edit: set }]);
		await applyLastRequest();
		assert.equal(getInput('field-answer').value, 'ab');
	});

	it('keeps typed text, focus and cursor while the file changes', async () => {
		await showForm({ type: 'answer', answer: 'a' });
		typeText('field-answer', 'abc');
		const field = getInput('field-answer');
		field.setSelectionRange(2, 2);
		const before = shown.asked.length;
		// the first edit arrives after more was typed
		typeText('field-answer', 'abcd');
		field.setSelectionRange(2, 2);
		shown.asked.splice(before);
		await applyLastRequest();
		assert.equal(getInput('field-answer'), field);
		assert.equal(field.value, 'abcd');
		assert.equal(field.selectionStart, 2);
		assert.equal(getDocument().activeElement, field);
		assert.doesNotMatch(getDocument().body.textContent ?? '', /changed meanwhile/);
	});

	it("doesn't overwrite typed text with another change of the same field, but offers that change", async () => {
		await showForm({ type: 'answer', answer: 'a' });
		typeText('field-answer', 'mine');
		text = createAgentWith({ type: 'answer', answer: 'theirs' });
		await shown.show(getForm());
		await waitUntilDrawn();
		assert.equal(getInput('field-answer').value, 'mine');
		assert.match(getDocument().body.textContent ?? '', /changed in the file to: theirs/);
		getButton('Use this value').click();
		await waitUntilDrawn();
		assert.equal(getInput('field-answer').value, 'theirs');
	});

	it('shows the text of the file after an undo, also in the focused field', async () => {
		await showForm({ type: 'answer', answer: 'a' });
		const before = text;
		typeText('field-answer', 'ab');
		await applyLastRequest();
		text = before;
		await pressKey('field-answer', 'z', { ctrlKey: true });
		assert.deepEqual(listRequests().at(-1), { did: 'undo' });
		await shown.show(getForm());
		await waitUntilDrawn();
		assert.equal(getInput('field-answer').value, 'a');
	});

	it('commits typed text when another node is selected', async () => {
		await showForm({ type: 'answer', answer: 'a' });
		typeText('field-answer', 'ab');
		await shown.show(undefined);
		assert.deepEqual(listRequests().at(-1), { edit: { do: 'set', node, path: ['answer'], value: 'ab' } });
	});

	it('returns to the canvas on Escape, but closes an open list first', async () => {
		await showForm({ type: 'llm', model: { name: 'x' }, prompt_template: [] });
		await pressKey('field-model-name', 'ArrowDown');
		assert.equal(getInput('field-model-name').getAttribute('aria-expanded'), 'true');
		await pressKey('field-model-name', 'Escape');
		assert.equal(getInput('field-model-name').getAttribute('aria-expanded'), 'false');
		assert.deepEqual(listRequests(), []);
		await pressKey('field-model-name', 'Escape');
		assert.deepEqual(listRequests(), [{ did: 'leave' }]);
	});

	it('chooses a known model with the keyboard, and accepts a typed one', async () => {
		await showForm({ type: 'llm', model: { name: 'x' }, prompt_template: [] });
		await pressKey('field-model-name', 'ArrowDown');
		await pressKey('field-model-name', 'Enter');
		await applyLastRequest();
		assert.equal(getInput('field-model-name').value, 'offline');
		typeText('field-model-name', 'mine-1');
		await waitUntilDrawn();
		await pressKey('field-model-name', 'Enter');
		await applyLastRequest();
		assert.equal(getInput('field-model-name').value, 'mine-1');
	});

	it('offers accepted variables grouped by node', async () => {
		await showForm({ type: 'document-extractor', variable_selector: [] });
		await pressKey('field-variable_selector', 'ArrowDown');
		const options = [...getDocument().querySelectorAll('[role="option"]')].map(each => each.getAttribute('title'));
		assert.deepEqual(options, ['start.docs', 'sys.files']);
		await pressKey('field-variable_selector', 'Enter');
		await applyLastRequest();
		assert.equal(getInput('field-variable_selector').value, 'start · docs');
		assert.deepEqual(getData().variable_selector, ['start', 'docs']);
	});

	it('inserts a reference at the cursor', async () => {
		await showForm({ type: 'answer', answer: 'Hello !' });
		getInput('field-answer').focus();
		getInput('field-answer').setSelectionRange(6, 6);
		getButton('Insert variable').click();
		await waitUntilDrawn();
		typeText('field-answer-variables', 'q');
		await waitUntilDrawn();
		await pressKey('field-answer-variables', 'Enter');
		await applyLastRequest();
		assert.equal(getInput('field-answer').value, 'Hello {{#start.q#}}!');
	});

	it('adds and removes conditions with case, variable and type, operator and value', async () => {
		await showForm({ type: 'if-else', cases: [] });
		getButton('Add case').click();
		await applyLastRequest();
		getButton('Add condition').click();
		await applyLastRequest();
		await pressKey('field-cases-0-conditions-0-variable_selector', 'ArrowDown');
		typeText('field-cases-0-conditions-0-variable_selector', 'start n');
		await waitUntilDrawn();
		await pressKey('field-cases-0-conditions-0-variable_selector', 'Enter');
		await applyLastRequest();
		typeText('field-cases-0-conditions-0-comparison_operator', '≥');
		await waitUntilDrawn();
		await pressKey('field-cases-0-conditions-0-comparison_operator', 'Enter');
		await applyLastRequest();
		typeText('field-cases-0-conditions-0-value', '5');
		await applyLastRequest();
		const { id: _, ...condition } = getData().cases[0].conditions[0];
		assert.deepEqual(condition, { variable_selector: ['start', 'n'], comparison_operator: '≥', value: '5', varType: 'number' });
		getButton('Remove condition 1').click();
		await applyLastRequest();
		assert.deepEqual(getData().cases[0].conditions, []);
	});

	it('asks before removing a case that is connected', async () => {
		await showForm({ type: 'if-else', cases: [{ case_id: 'true', conditions: [] }] }, form => ({
			...form,
			sections: JSON.parse(JSON.stringify(form.sections).replace('"targets":[]', '"targets":["Answer"]')),
		}));
		getButton('Remove case 1').click();
		await waitUntilDrawn();
		assert.deepEqual(listRequests(), []);
		assert.match(getDocument().querySelector('[role="alert"]')?.textContent ?? '', /disconnect Answer/);
		getButton('Remove anyway').click();
		assert.deepEqual(listRequests(), [{ edit: { do: 'removeItem', node, path: ['cases'], at: 0 } }]);
	});

	it('adds, moves and removes messages, and focuses a new one', async () => {
		await showForm({ type: 'llm', model: {}, prompt_template: [{ role: 'system', text: 'a' }] });
		getButton('Add message').click();
		await applyLastRequest();
		assert.ok(getDocument().activeElement?.id.startsWith('field-prompt_template-1'), getDocument().activeElement?.id);
		typeText('field-prompt_template-1-text', 'b');
		await applyLastRequest();
		getButton('Move message 2 up').click();
		await applyLastRequest();
		assert.deepEqual(getData().prompt_template, [
			{ role: 'user', text: 'b' },
			{ role: 'system', text: 'a' },
		]);
		getButton('Remove message 1').click();
		await applyLastRequest();
		assert.equal(getInput('field-prompt_template-0-text').value, 'a');
	});

	it('keeps an invalid number and shows the problem', async () => {
		await showForm({ type: 'loop', loop_count: 3 });
		typeText('field-loop_count', '3x');
		await waitUntilDrawn();
		assert.match(getDocument().getElementById('field-loop_count-problem')?.textContent ?? '', /isn't a number/);
		assert.equal(getInput('field-loop_count').getAttribute('aria-invalid'), 'true');
		assert.deepEqual(listRequests(), []);
		typeText('field-loop_count', '4');
		await applyLastRequest();
		assert.equal(getData().loop_count, 4);
	});

	it('renames the node, and an entry of a map with its value', async () => {
		await showForm({ type: 'code', code: '', outputs: { a: { type: 'string' }, b: { type: 'number' } } });
		typeText('field-outputs-a-key', 'first');
		getInput('field-outputs-a-key').blur();
		await applyLastRequest();
		assert.deepEqual(getData().outputs, { b: { type: 'number' }, first: { type: 'string' } });
		typeText('field-id-of-node', 'calc');
		await pressKey('field-id-of-node', 'Enter');
		getInput('field-id-of-node').blur();
		const renames = listRequests().filter(each => 'edit' in each && each.edit.do === 'rename');
		assert.deepEqual(renames, [{ edit: { do: 'rename', node, id: 'calc' } }]);
	});

	describe('while responses of the host are pending', () => {
		const older = { type: 'parameter-extractor', query: ['start', 'q'], model: { name: 'x' } };
		const createParameter = (name: string) => ({ name, type: 'string', description: '', required: false });
		/** Sends the form of the file before the edits. */
		const sendOlderForm = () => shown.show(getForm(), 0);
		/** Presses the pointer on an element without releasing it. */
		function pressPointer(target: HTMLElement): void {
			target.dispatchEvent(new loaded.window.MouseEvent('pointerdown', { bubbles: true }));
		}
		function releasePointer(target: HTMLElement): void {
			target.dispatchEvent(new loaded.window.MouseEvent('pointerup', { bubbles: true }));
			target.click();
		}

		it('keeps a checked checkbox through responses to earlier edits', async () => {
			await showForm({ ...older, parameters: [createParameter('a')] });
			typeText('field-parameters-0-description', 'typed before');
			getInput('field-parameters-0-description').blur();
			getInput('field-parameters-0-required').click();
			assert.equal(getInput('field-parameters-0-required').checked, true);
			await sendOlderForm();
			assert.equal(getInput('field-parameters-0-required').checked, true);
			await shown.show(getForm(), shown.count - 1);
			assert.equal(getInput('field-parameters-0-required').checked, true);
			assert.equal(getInput('field-parameters-0-description').value, '', 'done, and undone by another hand');
			await shown.markRequestsDone(shown.count);
			assert.equal(getInput('field-parameters-0-required').checked, false, 'what the file has, now that this was refused');
		});

		it('keeps choices in selects, combo boxes and radio buttons', async () => {
			const conditions = [1, 2].map(() => ({ variable_selector: ['start', 'q'], comparison_operator: 'is', value: '1' }));
			await showForm({ type: 'if-else', cases: [{ case_id: 'true', logical_operator: 'and', conditions }], error_strategy: 'none' });
			await pressKey('field-cases-0-conditions-0-variable_selector', 'ArrowDown');
			typeText('field-cases-0-conditions-0-variable_selector', 'start n');
			await waitUntilDrawn();
			await pressKey('field-cases-0-conditions-0-variable_selector', 'Enter');
			typeText('field-cases-0-conditions-0-comparison_operator', 'empty');
			await pressKey('field-cases-0-conditions-0-comparison_operator', 'Enter');
			const listRadios = () => [...getDocument().querySelectorAll<HTMLInputElement>('input[type="radio"]')];
			listRadios()[1]?.click();
			await sendOlderForm();
			assert.equal(getInput('field-cases-0-conditions-0-variable_selector').value, 'start · n');
			assert.equal(getInput('field-cases-0-conditions-0-comparison_operator').value, 'empty');
			assert.equal(getDocument().getElementById('field-cases-0-conditions-0-value'), null, 'it compares with nothing');
			assert.deepEqual(
				listRadios().map(({ checked }) => checked),
				[false, true],
			);
		});

		it('combines successive edits of the parts of a condition', async () => {
			const conditions = [{ variable_selector: ['start', 'q'], comparison_operator: 'is', value: '1' }];
			await showForm({ type: 'if-else', cases: [{ case_id: 'true', conditions }] });
			typeText('field-cases-0-conditions-0-value', '5');
			getInput('field-cases-0-conditions-0-value').blur();
			await sendOlderForm();
			await pressKey('field-cases-0-conditions-0-variable_selector', 'ArrowDown');
			typeText('field-cases-0-conditions-0-variable_selector', 'start n');
			await waitUntilDrawn();
			await pressKey('field-cases-0-conditions-0-variable_selector', 'Enter');
			const value = { variable_selector: ['start', 'n'], comparison_operator: 'is', value: '5', varType: 'number' };
			assert.deepEqual(listRequests().at(-1), { edit: { do: 'set', node, path: ['cases', 0, 'conditions', 0], value } });
			assert.equal(getInput('field-cases-0-conditions-0-value').value, '5');
		});

		it('keeps typed text and cursor exactly, regardless of how the text is read', async () => {
			await showForm({ type: 'loop', loop_count: 3 });
			const field = getInput('field-loop_count');
			for (const [text, meant] of [
				['12', 12],
				['12 ', 12],
			] as const) {
				typeText('field-loop_count', text);
				field.setSelectionRange(1, 1);
				await sendOlderForm();
				assert.equal(field.value, text);
				assert.deepEqual(listRequests().at(-1), { typed: { do: 'set', node, path: ['loop_count'], value: meant } });
			}
			await applyLastRequest();
			assert.equal(getInput('field-loop_count'), field);
			assert.equal(field.value, '12 ');
			assert.equal(field.selectionStart, 1);
			assert.doesNotMatch(getDocument().body.textContent ?? '', /changed meanwhile/);
			field.blur();
			await waitUntilDrawn();
			assert.equal(field.value, '12');
		});

		it('keeps the line breaks of code and the formatting of JSON', async () => {
			await showForm({ type: 'code', code: 'a', outputs: {} });
			typeText('field-code', 'a\nb');
			getInput('field-code').blur();
			await sendOlderForm();
			assert.equal(getInput('field-code').value, 'a\nb');
			await shown.show(undefined, shown.count - 1);
			await sendOlderForm();
			assert.equal(getInput('field-code').value, 'a\nb', 'in a form that was closed and opened again');
		});

		it('removes, moves and adds items immediately, and applies later edits to the shown items', async () => {
			await showForm({ ...older, parameters: ['a', 'b', 'c'].map(createParameter) });
			const listNames = () =>
				[...getDocument().querySelectorAll<HTMLInputElement>('input[id^="field-parameters-"][id$="-name"]')].map(({ value }) => value);
			const last = getInput('field-parameters-2-name');
			getButton('Remove Parameters 1').click();
			assert.deepEqual(listNames(), ['b', 'c']);
			await sendOlderForm();
			assert.deepEqual(listNames(), ['b', 'c']);
			assert.equal(getInput('field-parameters-1-name'), last, 'an item keeps its elements');
			typeText('field-parameters-1-name', 'third');
			last.blur();
			assert.deepEqual(listRequests().at(-1), { edit: { do: 'set', node, path: ['parameters', 1, 'name'], value: 'third' } });
			const up = getButton('Move Parameters 2 up');
			up.focus();
			up.click();
			await sendOlderForm();
			assert.deepEqual(listNames(), ['third', 'b']);
			assert.equal(getInput('field-parameters-0-name'), last);
			assert.equal(getDocument().activeElement?.closest('.item')?.getAttribute('aria-label'), 'Parameters 1');
			await shown.markRequestsDone(shown.count - 1);
			getButton("Add to 'Parameters'").click();
			await waitUntilDrawn();
			assert.equal(listNames().length, 4);
			assert.ok(getDocument().activeElement?.closest('.item'), 'the new item has the focus before the file has it');
		});

		it('requests a second new item only after the file has the first', async () => {
			await showForm({ type: 'question-classifier', query_variable_selector: [], model: {}, classes: [{ id: '1', name: 'a' }] });
			const before = shown.count;
			getButton('Add class').click();
			getButton('Add class').click();
			assert.equal(shown.count, before + 1);
			await applyLastRequest();
			await applyLastRequest();
			assert.deepEqual(
				getData().classes.map(({ id }: { id: string }) => id),
				['1', '2', '3'],
			);
		});

		it('moves nothing under a pressed pointer', async () => {
			await showForm({ ...older, parameters: [createParameter('a')] });
			const box = getInput('field-parameters-0-required');
			pressPointer(box);
			await shown.show(undefined, 0);
			assert.ok(box.isConnected);
			assert.equal(getInput('field-parameters-0-required'), box);
			await sendOlderForm();
			releasePointer(box);
			assert.equal(box.checked, true);
			assert.deepEqual(listRequests().at(-1), { edit: { do: 'set', node, path: ['parameters', 0, 'required'], value: true } });
			await waitUntilDrawn();
			assert.equal(getInput('field-parameters-0-required').checked, true);
		});

		it('keeps the kind of a field until blur, even if its text is another kind of value', async () => {
			await showForm({
				type: 'assigner',
				items: [{ variable_selector: ['conversation', 'x'], operation: 'set', input_type: 'constant', value: 5 }],
			});
			const field = getDocument().querySelector<HTMLInputElement>('[id="field-items-0-value"]');
			assert.ok(field, [...getDocument().querySelectorAll('[id]')].map(({ id }) => id).join());
			typeText(field.id, 'five');
			await applyLastRequest();
			assert.equal(getDocument().getElementById(field.id), field);
			assert.equal(field.value, 'five');
			field.blur();
			await waitUntilDrawn();
			assert.equal(getInput(field.id).value, 'five');
		});
	});

	it('opens code as a document', async () => {
		await showForm({ type: 'code', code: 'function main() {}' });
		getButton('Open as document').click();
		assert.deepEqual(listRequests(), [{ open: ['code'] }]);
	});

	it("accepts no edits if the file can't be changed", async () => {
		await showForm({ type: 'if-else', cases: [{ case_id: 'true', conditions: [] }] }, form => ({ ...form, editable: false }));
		assert.deepEqual(
			[...getDocument().querySelectorAll('button')].map(each => each.textContent?.trim()),
			[],
		);
		for (const each of getDocument().querySelectorAll('input, textarea, select')) {
			assert.ok(each.hasAttribute('readonly') || each.hasAttribute('disabled'), each.outerHTML);
		}
	});
});
