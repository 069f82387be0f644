import assert from 'node:assert/strict';
import { checkField } from '#pages/shared/form/fieldValues.ts';
import { type FormDraft, getStartValues, pickDrafts } from '#pages/shared/form/formDraft.ts';
import { createFormStrings } from '#runs/forms/formStrings.ts';
import { readForm } from '#runs/forms/readForm.ts';
import { splitFormContent } from '#runs/forms/runForm.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import { words } from '../../editor/chat/endpoints/words.ts';

const data = {
	form_id: 'f1',
	node_id: 'ask',
	node_title: 'Approve the draft',
	form_content: '# Draft\n\nIt says **so**.\n\n{{#$output.comment#}}\n\nAnd {{#$output.nobody#}} {{#$output.comment#}}',
	inputs: [
		{ type: 'paragraph', output_variable_name: 'comment', default: { type: 'constant', value: 'fine' } },
		{ type: 'paragraph', output_variable_name: 'from', default: { type: 'variable', selector: ['a', 'b'], value: 'not this' } },
		{ type: 'select', output_variable_name: 'level', option_source: { type: 'constant', value: ['low', 'high'] } },
		{
			type: 'file-list',
			output_variable_name: 'papers',
			number_limits: 2,
			allowed_file_types: ['custom'],
			allowed_file_extensions: ['.md'],
		},
		{ type: 'file', output_variable_name: 'photo', allowed_file_upload_methods: ['remote_url'] },
	],
	actions: [
		{ id: 'yes', title: 'Approve', button_style: 'primary' },
		{ id: 'no', title: '', button_style: 'shiny' },
	],
	form_token: 'tok',
	resolved_default_values: { from: 'the run' },
	expiration_time: 1_800_000_000,
};
const createEvent = (name: string, fields: object = data) => ({
	at: 1,
	event: { event: name, task_id: 't', workflow_run_id: 'r', data: fields },
});

describe('forms of paused runs', () => {
	const form = readForm(data);
	assert.ok(form);

	it('are read with their fields, initial values, buttons and expiration', () => {
		assert.deepEqual(
			form.inputs.map(({ name, kind, value, required }) => [name, kind, value, required]),
			[
				['comment', 'paragraph', 'fine', false],
				['from', 'paragraph', 'the run', false],
				['level', 'select', '', true],
				['papers', 'file-list', '', true],
				['photo', 'file', '', true],
			],
		);
		assert.deepEqual(form.inputs[2]?.options, ['low', 'high']);
		assert.deepEqual(
			form.inputs.slice(3).map(({ uploads, links, most }) => [uploads, links, most]),
			[
				[true, false, 2],
				[false, true, undefined],
			],
		);
		assert.deepEqual(form.actions, [
			{ id: 'yes', title: 'Approve', style: 'primary' },
			{ id: 'no', title: 'no', style: 'default' },
		]);
		assert.deepEqual([form.token, form.expiresAt], ['tok', 1_800_000_000_000]);
	});

	it('show each field once, at its first position in the text or after the text', () => {
		assert.deepEqual(
			splitFormContent(form).map(piece => ('text' in piece ? piece.text.trim() : `<${piece.input.name}>`)),
			[
				'# Draft\n\nIt says **so**.',
				'<comment>',
				'And {{#$output.nobody#}} {{#$output.comment#}}',
				'<from>',
				'<level>',
				'<papers>',
				'<photo>',
			],
		);
	});

	it('are open until they are submitted, time out, or the run ends', () => {
		for (const end of ['human_input_form_filled', 'human_input_form_timeout', 'workflow_finished']) {
			const forms = new RunForms();
			assert.equal(forms.applyEntry(createEvent('human_input_required')), true);
			assert.equal(forms.applyEntry(createEvent('workflow_paused', { reasons: [data] })), false, 'already reported');
			assert.equal(forms.open.length, 1);
			assert.deepEqual(forms.findOpenForms({ forms: [] }), [], 'answered here, which no event says');
			assert.equal(forms.applyEntry(createEvent(end, { node_id: 'ask', status: 'succeeded' })), true);
			assert.deepEqual(forms.open, []);
		}
	});

	it('are read from the reasons of a pause if no event announced them', () => {
		const forms = new RunForms();
		forms.applyEntry({ at: 1, detail: { data: { status: 'paused', reasons: [{ TYPE: 'scheduled' }, data] } } });
		assert.deepEqual(
			forms.open.map(({ id }) => id),
			['f1'],
		);
	});

	it('are limited to 100, because all are saved again with each new one', () => {
		const forms = new RunForms();
		const taken = Array.from({ length: 300 }, (_, n) =>
			forms.applyEntry(createEvent('human_input_required', { ...data, form_id: `f${n}` })),
		);
		assert.equal(forms.open.length, 100);
		assert.equal(taken.filter(Boolean).length, 100);
	});

	it('are read despite malformed data from a service', () => {
		for (const strange of [
			undefined,
			null,
			5,
			[],
			{},
			{ form_id: 7 },
			{ node_id: 'a', inputs: {}, actions: [null, 3, {}] },
			{ node_id: 'a', inputs: [null, { output_variable_name: 1 }] },
		]) {
			const read = readForm(strange);
			assert.deepEqual(read?.inputs ?? [], []);
			assert.deepEqual(read?.actions ?? [], []);
		}
	});

	it('list required fields that are empty, and discard drafts of closed forms', () => {
		const findEmptyField = (values: FormDraft) =>
			form.inputs.find(field => checkField(field, values[field.name], createFormStrings(words)));
		const empty = getStartValues(form.inputs);
		assert.equal(findEmptyField(empty)?.name, 'level');
		assert.equal(findEmptyField({ ...empty, level: 'low' })?.name, 'papers');
		const file = { name: 'a.md', file: { type: 'custom', transfer_method: 'local_file', upload_file_id: 'u' } } as const;
		assert.equal(findEmptyField({ ...empty, level: 'low', papers: [file], photo: [file], comment: '' }), undefined);
		assert.deepEqual(pickDrafts([form], { f1: empty, gone: {} }), { f1: empty });
	});
});
