import assert from 'node:assert/strict';
import type { AgentParameters, AgentVariable } from '#contract/agents.ts';
import { checkField, parseFieldDraft, toFieldDraft } from '#pages/shared/form/fieldValues.ts';
import type { FormDraft } from '#pages/shared/form/formDraft.ts';
import { createFormStrings } from '#runs/forms/formStrings.ts';
import { createInputFields, readParameterVariables } from '#runs/forms/inputFields.ts';
import type { FormField } from '#runs/forms/runForm.ts';

const variables: AgentVariable[] = [
	{ variable: 'name', label: 'Your name', type: 'text-input', required: true, max_length: 3, hint: 'As on the badge' },
	{ variable: 'story', label: '', type: 'paragraph', required: false },
	{ variable: 'tone', label: 'Tone', type: 'select', required: true, options: ['warm', 'cool'], default: 'cool' },
	{ variable: 'count', label: 'Count', type: 'number', required: false, default: 3 },
	{ variable: 'brief', label: 'Brief', type: 'checkbox', required: true },
	{ variable: 'more', label: 'More', type: 'json_object', required: false, default: '{"a":1}' },
	{
		variable: 'paper',
		label: 'Paper',
		type: 'file',
		required: true,
		allowed_file_types: ['document'],
		allowed_file_upload_methods: ['local_file'],
	},
	{ variable: 'papers', label: 'Papers', type: 'file-list', required: false, max_length: 2 },
	{ variable: 'odd', label: 'Odd', type: 'hologram', required: false },
];

describe('form fields for the inputs of an agent', () => {
	const strings = createFormStrings({ t: text => String(text) });
	const fields = createInputFields(variables, 2_097_152);
	const findField = (name: string): FormField => {
		const found = fields.find(each => each.name === name);
		assert.ok(found, name);
		return found;
	};
	const findProblem = (name: string, drafted: FormDraft[string]) => checkField(findField(name), drafted, strings)?.text;
	const file = { name: 'a.md', size: 7, uri: 'file:///a.md' };

	it('have the labels, help, kinds, defaults and limits of its variables', () => {
		assert.deepEqual(
			fields.map(({ name, label, kind, value, required }) => [name, label, kind, value, required]),
			[
				['name', 'Your name', 'text', '', true],
				['story', 'story', 'paragraph', '', false],
				['tone', 'Tone', 'select', 'cool', true],
				['count', 'Count', 'number', '3', false],
				['brief', 'Brief', 'checkbox', 'false', false],
				['more', 'More', 'json', '{\n  "a": 1\n}', false],
				['paper', 'Paper', 'file', '', true],
				['papers', 'Papers', 'file-list', '', false],
				['odd', 'Odd', 'paragraph', '', false],
			],
		);
		assert.deepEqual([findField('name').help, findField('name').longest, findField('papers').most], ['As on the badge', 3, 2]);
		const { uploads, links, fileTypes, largest } = findField('paper');
		assert.deepEqual([uploads, links, fileTypes, largest], [true, false, ['document'], 2_097_152]);
		assert.deepEqual([findField('papers').uploads, findField('papers').links, findField('name').uploads], [true, true, false]);
	});

	it('ignore unexpected data from a service', () => {
		const form = variables.map(({ type, ...rest }) => ({ [type]: rest }));
		const strange = [null, 3, { select: null }, { paragraph: { variable: 4 } }, { external_data_tool: { variable: 'x' } }];
		const parameters = { user_input_form: [...form, ...strange], system_parameters: { file_size_limit: 15, audio: 'x' } };
		const read = readParameterVariables(parameters as unknown as AgentParameters);
		assert.deepEqual(
			createInputFields(read?.variables ?? []).map(({ name, kind, value }) => [name, kind, value]),
			fields.map(({ name, kind, value }) => [name, kind, value]),
		);
		assert.equal(read?.largest, 15 * 1_048_576);
		assert.equal(readParameterVariables({}), undefined, 'nothing is said');
		assert.deepEqual(readParameterVariables({ user_input_form: [] }), { variables: [] });
	});

	it('are invalid if they are required but empty, too long, not a number or too many', () => {
		assert.equal(findProblem('name', ' '), "'Your name' is required.");
		assert.equal(findProblem('paper', []), "'Paper' is required.");
		assert.equal(findProblem('name', 'four'), "'Your name' has 4 characters. Use at most 3.");
		assert.equal(findProblem('name', '👩‍🚀'), undefined, 'code points are counted');
		assert.equal(findProblem('count', 'many'), "'Count' isn't a number.");
		assert.equal(findProblem('papers', [file, file, file]), "'Papers' has 3 files. Select at most 2.");
		for (const [name, drafted] of [
			['story', ''],
			['tone', 'warm'],
			['count', '-1.5e3'],
			['brief', 'false'],
			['papers', [file]],
		] as const) {
			assert.equal(findProblem(name, drafted), undefined, name);
		}
	});

	it("report invalid JSON with its position, and values that aren't objects", () => {
		assert.deepEqual(checkField(findField('more'), '{\n  "a": nope }', strings), {
			text: "'More' isn't valid JSON (line 2, column 8).",
			at: 9,
		});
		assert.equal(findProblem('more', '{ "a": 1, }'), "'More' isn't valid JSON (line 1, column 11).");
		assert.equal(findProblem('more', '[1]'), "'More' isn't a JSON object. Expected { }.");
		assert.equal(findProblem('more', ' {"a": [1]} '), undefined);
	});

	it('are converted to the inputs of a run, and empty ones are omitted', () => {
		const values = [
			['name', 'Ana', 'Ana'],
			['story', '  ', undefined],
			['count', ' 7 ', 7],
			['brief', 'true', true],
			['more', '{"a": 2}', { a: 2 }],
			['paper', [file], undefined],
		] as const;
		for (const [name, drafted, value] of values) {
			assert.deepEqual(parseFieldDraft(findField(name), drafted), value, name);
		}
	});

	it('start with the last inputs that they still accept', () => {
		const sent = { type: 'document', transfer_method: 'local_file', upload_file_id: 'u1' } as const;
		const linked = { type: 'document', transfer_method: 'remote_url', url: 'https://x.test/b.pdf' } as const;
		const drafts = [
			['name', 'Ana', 'Ana'],
			['tone', 'harsh', undefined],
			['count', 4, '4'],
			['brief', true, 'true'],
			['brief', 'yes', 'false'],
			['more', { b: 1 }, '{\n  "b": 1\n}'],
			['paper', sent, [{ name: 'previously sent file', file: sent }]],
			['papers', [linked, 3, null], [{ name: 'b.pdf', file: linked }]],
			['story', null, undefined],
		] as const;
		for (const [name, value, drafted] of drafts) {
			assert.deepEqual(toFieldDraft(findField(name), value, strings), drafted, name);
		}
	});
});
