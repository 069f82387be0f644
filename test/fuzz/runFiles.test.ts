import assert from 'node:assert/strict';
import fs from 'node:fs';
import fc from 'fast-check';
import type { AgentSummary } from '#contract/agents.ts';
import { Placeholders } from '#runs/request/placeholders.ts';
import { readRunFile } from '#runs/request/runFileRead.ts';
import { maskRunSecrets, refillSecrets } from '#runs/request/secrets.ts';
import { runFileSchemaPath } from '../../scripts/runFileSchema.ts';
import { english } from '../support/english.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const schema = JSON.parse(fs.readFileSync(runFileSchemaPath, 'utf8'));
const types = ['text-input', 'paragraph', 'number', 'select', 'checkbox', 'file', 'file-list', 'json_object', 'unheard-of'];
const agent: AgentSummary = {
	name: 'a',
	mode: 'workflow',
	description: '',
	published: true,
	draft: false,
	workflow_id: null,
	file: 'a.yml',
	variables: types.map(type => ({ variable: type, label: '', type, required: false, max_length: 5, options: ['x'] })),
	error: null,
	updated_at: 0,
};
const placeholders = { workspaceFolder: '/w', askInput: async (name: string) => `«${name}»`, environment: () => undefined };
const context = {
	schema,
	builtIn: true,
	connection: 'c',
	agents: [agent],
	user: 'u',
	scope: { folder: '/nowhere', root: '/nowhere' },
	placeholders,
	upload: async () => ({ type: 'document' as const, transfer_method: 'local_file' as const, upload_file_id: '1' }),
	t: english,
};
const formatPlaceholder = (name: string) => `\${${name}}`;
const odd = fc.oneof(
	fc.jsonValue(),
	fc.constantFrom(
		formatPlaceholder('input:a:password'),
		formatPlaceholder('env:X'),
		formatPlaceholder('input:'),
		{ $file: '../../etc/passwd' },
		{ $file: 1 },
		'__proto__',
	),
);

describe('any run file', () => {
	it('is read, or refused with problems whose positions are in the file', async () => {
		const body = fc.record(
			{
				model: fc.constantFrom<unknown>('a', 'b', '', 1),
				inputs: fc.dictionary(fc.oneof(fc.constantFrom(...types, '__proto__', 'constructor'), fc.string()), odd),
				files: fc.array(odd),
				response_mode: odd,
			},
			{ requiredKeys: ['model', 'inputs'] },
		);
		const text = fc.oneof(
			body.map(value => JSON.stringify(value)),
			fc.tuple(body, fc.nat(), fc.string()).map(([value, at, cut]) => {
				const json = JSON.stringify(value);
				return json.slice(0, at % json.length) + cut + json.slice((at + 3) % json.length);
			}),
			fc.string({ unit: 'binary' }),
		);
		await fc.assert(
			fc.asyncProperty(text, async source => {
				const { request, faults } = await readRunFile(source, context);
				for (const { offset, length } of faults) {
					assert.ok(offset >= 0 && length >= 0 && offset <= source.length);
				}
				assert.ok(request !== undefined || faults.some(({ severity }) => severity === 'error'));
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('is read or refused if it is nested as deeply as 200 KB allow', async () => {
		for (const [open, close] of [
			['[', ']'],
			['{"a":', '}'],
		] as const) {
			const deep = `${open.repeat(500)}1${close.repeat(500)}`;
			await readRunFile(`{"model":"a","inputs":{"paragraph":${deep}}}`, context);
			const { faults } = await readRunFile(`{"model":"a","inputs":${open.repeat(200_000 / open.length)}`, context);
			assert.ok(faults.length > 0);
		}
	});
});

describe('any text with placeholders', () => {
	it('is filled in, and secrets are masked and restored', async () => {
		const piece = fc.oneof(
			fc.string(),
			fc.constantFrom(formatPlaceholder('input:a'), formatPlaceholder('input:b:password'), '${', '}', ':password'),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.string({ minLength: 4 }), async (pieces, secret) => {
				const text = pieces.join('');
				const source = { ...placeholders, askInput: async (name: string, isSecret: boolean) => (isSecret ? secret : name) };
				const filler = new Placeholders(source, english);
				const request = { model: 'm', user: 'u', response_mode: 'streaming' as const, inputs: { text: await filler.fillText(text) } };
				const kept = maskRunSecrets(request, filler.secrets);
				if (filler.secrets.size > 0 && !formatPlaceholder('input:b:password').includes(secret)) {
					assert.ok(!String(kept.inputs.text).includes(secret));
				}
				await refillSecrets(kept, async () => secret);
			}),
			{ numRuns: fuzzRuns },
		);
	});
});
