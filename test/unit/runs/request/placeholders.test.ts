import assert from 'node:assert/strict';
import type { AgentVariable } from '#contract/agents.ts';
import { InputCancelled, Placeholders } from '#runs/request/placeholders.ts';
import { maskEntry, maskRunSecrets, refillSecrets } from '#runs/request/secrets.ts';
import { formatTypedText, parseTypedValue } from '#runs/request/typedValue.ts';
import { english as t } from '../../../support/english.ts';

const formatInput = (name: string) => `\${input:${name}}`;
const formatVariable = (name: string) => `\${env:${name}}`;

describe('input prompts of a run file', () => {
	/** Imitates the editor, where opening an input box closes an open one. */
	function createUser(answers: Readonly<Record<string, string | undefined>>) {
		const asked: string[] = [];
		let open = 0;
		const askInput = async (name: string, secret: boolean) => {
			asked.push(secret ? `${name} (secret)` : name);
			open++;
			await new Promise(resolve => setImmediate(resolve));
			return --open > 0 ? undefined : answers[name];
		};
		return { asked, placeholders: new Placeholders({ workspaceFolder: undefined, askInput: askInput, environment: undefined }, t) };
	}

	it('appear one after the other, each once, even if several are requested at the same time', async () => {
		const { asked, placeholders } = createUser({ a: '1', b: '2' });
		const texts = [formatInput('a'), `${formatInput('b')} and ${formatInput('a')}`, formatInput('b')];
		assert.deepEqual(await Promise.all(texts.map(text => placeholders.fillText(text))), ['1', '2 and 1', '2']);
		assert.deepEqual(asked, ['a', 'b']);
	});

	it('are all canceled when one is canceled', async () => {
		const { asked, placeholders } = createUser({ b: '2' });
		const filled = await Promise.allSettled([formatInput('a'), formatInput('b')].map(text => placeholders.fillText(text)));
		assert.ok(filled.every(result => result.status === 'rejected' && result.reason instanceof InputCancelled));
		assert.deepEqual(asked, ['a']);
	});

	it('hide a password, and record its value as a secret', async () => {
		const { asked, placeholders } = createUser({ key: 'hunter22', password: 'x' });
		assert.equal(await placeholders.fillText(`Bearer ${formatInput('key:password')} ${formatInput('password')}`), 'Bearer hunter22 x');
		assert.deepEqual(asked, ['key (secret)', 'password']);
		assert.deepEqual([...placeholders.secrets], [['hunter22', formatInput('key:password')]]);
	});

	it("don't appear for environment variables, whose values are recorded as secrets", async () => {
		const getVariable = (name: string) => ({ TOKEN: 'tok-4711', EMPTY: '' })[name];
		const placeholders = new Placeholders({ workspaceFolder: undefined, askInput: async () => '', environment: getVariable }, t);
		assert.equal(await placeholders.fillText(`Bearer ${formatVariable('TOKEN')}${formatVariable('EMPTY')}`), 'Bearer tok-4711');
		assert.deepEqual([...placeholders.secrets], [['tok-4711', formatVariable('TOKEN')]]);
	});
});

describe('a saved request', () => {
	const secrets = new Map([
		['hunter22', formatInput('key:password')],
		['x', formatInput('pin:password')],
	]);
	const request = {
		model: 'm',
		user: 'u',
		response_mode: 'streaming' as const,
		inputs: { header: 'Bearer hunter22', pin: 'x', text: 'x-ray', list: ['hunter22', 1, null], hunter22: true },
	};

	it("has placeholders for secrets in strings and names, and for a short one only if it's the whole string", () => {
		assert.deepEqual(maskRunSecrets(request, secrets).inputs, {
			header: `Bearer ${formatInput('key:password')}`,
			pin: formatInput('pin:password'),
			text: 'x-ray',
			list: [formatInput('key:password'), 1, null],
			[formatInput('key:password')]: true,
		});
		assert.equal(maskRunSecrets(request, new Map()), request);
	});

	it('has the placeholder for a secret that is too long for a regular expression', () => {
		const secret = 'top"secret'.repeat(8_000);
		const secrets = new Map([[secret, formatInput('long:password')]]);
		assert.deepEqual(maskRunSecrets([`a ${secret} b`, JSON.stringify(secret), Buffer.from(secret).toString('base64')], secrets), [
			`a ${formatInput('long:password')} b`,
			`"${formatInput('long:password')}"`,
			formatInput('long:password'),
		]);
	});

	it('contains no part of a secret that is escaped in JSON or a URL, or that starts with another secret', () => {
		const secret = 'line "1"\nline 2/é';
		const several = new Map([
			['abcd', formatInput('short:password')],
			['abcdefgh', formatInput('long:password')],
			[secret, formatInput('pem:password')],
		]);
		const shown = formatInput('pem:password');
		assert.equal(maskRunSecrets('abcdefgh', several), formatInput('long:password'));
		assert.equal(maskRunSecrets('Bearer abcdefgh', several), `Bearer ${formatInput('long:password')}`);
		assert.equal(maskRunSecrets(JSON.stringify({ secret }), several), `{"secret":"${shown}"}`);
		assert.equal(maskRunSecrets(`?q=${encodeURIComponent(secret)}`, several), `?q=${shown}`);
		assert.equal(maskRunSecrets(`Basic ${Buffer.from(secret).toString('base64')}`, several), `Basic ${shown}`);
	});

	it('asks for its secrets again when it is sent again', async () => {
		const asked: string[] = [];
		const again = await refillSecrets(maskRunSecrets(request, secrets), async name => {
			asked.push(name);
			return name === 'key' ? 'hunter22' : 'x';
		});
		assert.deepEqual(again.request, request);
		assert.deepEqual(again.secrets, secrets);
		assert.deepEqual(asked, ['key', 'pin']);
	});

	it("doesn't treat an empty answer as a secret, which would match every empty string", async () => {
		const again = await refillSecrets(maskRunSecrets(request, secrets), async name => (name === 'key' ? '' : 'x'));
		assert.deepEqual([...again.secrets], [['x', formatInput('pin:password')]]);
	});

	it('keeps event names and status values, even if they equal a secret', () => {
		const event = { event: 'node_finished', data: { status: 'succeeded', inputs: { data: 'data' }, error: 'no data' } };
		assert.deepEqual(
			maskEntry(
				{ at: 1, event },
				new Map([
					['data', formatVariable('X')],
					['succeeded', formatVariable('Y')],
				]),
			),
			{
				at: 1,
				event: {
					event: 'node_finished',
					data: { status: 'succeeded', inputs: { [formatVariable('X')]: formatVariable('X') }, error: `no ${formatVariable('X')}` },
				},
			},
		);
	});
});

describe('a value typed for a variable', () => {
	const createTypedVariable = (fields: Partial<AgentVariable>): AgentVariable => ({
		variable: 'v',
		label: '',
		type: 'text-input',
		required: false,
		...fields,
	});

	for (const [fields, text, expected] of [
		[{ type: 'json_object' }, '{"a": [1]}', { value: { a: [1] } }],
		[{ type: 'json_object' }, '[1]', 'wrong'],
		[{ type: 'json_object' }, '{a', 'wrong'],
		[{ type: 'number' }, '1.5', { value: 1.5 }],
		[{ type: 'number' }, ' ', 'wrong'],
		[{ type: 'checkbox' }, 'false', { value: false }],
		[{ max_length: 2 }, '😀😀', { value: '😀😀' }],
		[{ max_length: 2 }, 'abc', 'wrong'],
		[{ required: true }, '', 'wrong'],
		[{}, '', { value: undefined }],
	] as const) {
		it(`is parsed by its type: ${JSON.stringify(text)} for ${JSON.stringify(fields)}`, () => {
			assert.deepEqual(parseTypedValue(createTypedVariable(fields), text), expected);
		});
	}

	it('starts as the default, formatted as it would be typed', () => {
		assert.deepEqual([undefined, null, 'a', 3, { a: 1 }].map(formatTypedText), ['', '', 'a', '3', '{"a":1}']);
	});
});
