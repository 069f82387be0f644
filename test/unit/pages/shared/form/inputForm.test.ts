import assert from 'node:assert/strict';
import path from 'node:path';
import type { FormDraft } from '#pages/shared/form/formDraft.ts';
import type { InputFormElement } from '#pages/shared/form/inputForm.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import { type PageWindow, runPage } from '../../graph/nodeForm/pageBundle.ts';

describe('a form for the inputs of an agent', () => {
	let loaded: PageWindow<object>;
	before(async () => {
		loaded = await runPage(path.resolve(import.meta.dirname, '../../../../../src/pages/shared/form/inputForm.ts'));
	});

	const createField = (name: string, kind: FormField['kind'], more: Partial<FormField> = {}): FormField => ({
		name,
		kind,
		value: '',
		options: [],
		required: true,
		fileTypes: [],
		extensions: [],
		uploads: true,
		links: true,
		...more,
	});
	async function openForm(fields: readonly FormField[], draft: FormDraft): Promise<InputFormElement> {
		const { document } = loaded.window;
		const element = document.createElement('input-form') as unknown as InputFormElement;
		const page = {
			strings: new Proxy({}, { get: (_, name) => String(name) }),
			getDraft: () => draft,
			saveDraft: () => {},
			chooseFiles: () => {},
		};
		Object.assign(element, { form: 'f', fields, last: {}, page });
		document.body.replaceChildren(element as unknown as Node);
		await element.updateComplete;
		return element;
	}
	const getShownChoice = (element: InputFormElement) => element.querySelector('select')?.value;

	it('sends the option that it shows after the agent has lost the chosen one, or asks for another', async () => {
		const element = await openForm([createField('tone', 'select', { options: ['kind', 'short'] })], { tone: 'kind' });
		assert.deepEqual([getShownChoice(element), structuredClone(element.checkInputs()?.values)], ['kind', { tone: 'kind' }]);
		element.fields = [createField('tone', 'select', { options: ['short', 'long'] })];
		await element.updateComplete;
		assert.deepEqual([getShownChoice(element), element.checkInputs()], ['', undefined]);
		const preset = await openForm([createField('tone', 'select', { options: ['short', 'long'], value: 'long' })], { tone: 'kind' });
		assert.deepEqual([getShownChoice(preset), structuredClone(preset.checkInputs()?.values)], ['long', { tone: 'long' }]);
	});

	it('sends no text as a file and no file as a text after the agent has changed the type of an input', async () => {
		const file = { name: 'a.txt', size: 1, uri: 'file:///w/a.txt' };
		const element = await openForm([createField('one', 'file'), createField('other', 'text')], { one: 'a text', other: [file] });
		assert.deepEqual(structuredClone(element.getFilledInputs()), { values: {}, files: {} });
		assert.equal(element.checkInputs(), undefined);
	});

	it('keeps what was typed while the agent is changed, also in an input that is gone for a while', async () => {
		const both = [createField('one', 'text'), createField('other', 'paragraph')];
		const element = await openForm(both, { one: '1', other: '2' });
		element.fields = [createField('one', 'paragraph')];
		await element.updateComplete;
		element.fields = both;
		await element.updateComplete;
		assert.deepEqual(structuredClone(element.checkInputs()?.values), { one: '1', other: '2' });
	});
});
