import assert from 'node:assert/strict';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { FormPage, RunFormElement } from '#pages/shared/form/runForm.ts';
import { createFormStrings } from '#runs/forms/formStrings.ts';
import type { FormField, RunForm } from '#runs/forms/runForm.ts';
import { type PageWindow, runPage } from '../../graph/nodeForm/pageBundle.ts';

const source = path.resolve(import.meta.dirname, '../../../../../src/pages/shared/form/runForm.ts');

describe('a form that a run waits for', () => {
	let loaded: PageWindow<object>;
	before(async () => {
		loaded = await runPage(source);
	});
	after(() => loaded.window.close());

	const field: FormField = {
		name: 'reason',
		kind: 'text',
		value: 'as planned',
		options: [],
		required: true,
		fileTypes: [],
		extensions: [],
		uploads: false,
		links: false,
	};
	const createForm = (id: string): RunForm => ({
		id,
		nodeId: 'ask',
		title: 'Approve',
		content: '{{#$output.reason#}}',
		inputs: [field],
		actions: [{ id: 'yes', title: 'Yes', style: 'primary' }],
		token: 't',
	});

	/** Shows a form; returns its element, and what was submitted. */
	const showForm = async (id: string, drafts: Readonly<Record<string, object>> = {}) => {
		const submitted: unknown[] = [];
		const page = {
			strings: createFormStrings({ t: fillPlaceholders }),
			getMarkdownElement: () => loaded.window.document.createElement('p'),
			submit: (_: RunForm, answer: unknown) => submitted.push(answer),
			chooseFiles() {},
			getDraft: (form: RunForm) => drafts[form.id],
			saveDraft() {},
		} as unknown as FormPage;
		const element = loaded.window.document.createElement('run-form') as unknown as RunFormElement;
		Object.assign(element, { form: createForm(id), page });
		loaded.window.document.body.replaceChildren(element);
		await element.updateComplete;
		return { element, submitted, getValue: () => element.querySelector('input')?.value };
	};

	it('starts with the values of its fields, and submits them', async () => {
		const { element, submitted, getValue } = await showForm('one');
		assert.equal(getValue(), 'as planned');
		element.querySelector<HTMLElement>('.formButton')?.click();
		assert.deepEqual(structuredClone(submitted), [{ action: 'yes', values: { reason: 'as planned' } }]);
	});

	it('continues its draft, and replaces it with the values of the next form', async () => {
		const { element, getValue } = await showForm('one', { one: { reason: 'too late' } });
		assert.equal(getValue(), 'too late');
		element.form = createForm('two');
		await element.updateComplete;
		assert.equal(getValue(), 'as planned');
	});
});
