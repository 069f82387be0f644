import assert from 'node:assert/strict';
import { SecretMarks } from '#gateway/agents/secretMarks.ts';

const key = 'sk-"quoted" & 100% ⟦odd⟧';
const createAgentWith = (environment: Readonly<Record<string, unknown>>) => ({ secretNames: ['KEY', 'OTHER'], environment });
const agent = createAgentWith({ KEY: key, OTHER: '', PLAIN: 'plain text' });

describe('placeholders for secrets', () => {
	it('replace every form of a secret in texts, lists and property names', () => {
		const marks = new SecretMarks(agent);
		const value = {
			[`of ${key}`]: [`Bearer ${key}${key}.`, { a: JSON.stringify({ key }), b: Buffer.from(key).toString('base64') }],
			url: `http://127.0.0.1/?k=${encodeURIComponent(key)}&${new URLSearchParams({ key })}`,
			others: [null, 1, true, 'plain text', ''],
		};
		const marked = marks.markSecrets(value);
		const text = JSON.stringify(marked);
		for (const secret of ['sk-', encodeURIComponent(key), Buffer.from(key).toString('base64')]) {
			assert.ok(!text.includes(secret), text);
		}
		assert.deepEqual(marked.others, value.others);
		assert.deepEqual(new SecretMarks(agent, marks.key).fillSecrets(JSON.parse(text)), value);
	});

	it('are filled with the current secret in the same form, or with nothing if there is none', () => {
		const marks = new SecretMarks(agent);
		const marked = marks.markSecrets([key, `x ${encodeURIComponent(key)} y`]);
		const createFilledMarks = (environment: Readonly<Record<string, unknown>>) =>
			new SecretMarks(createAgentWith(environment), marks.key).fillSecrets(marked);
		assert.deepEqual(createFilledMarks({ KEY: 'new & $& key' }), ['new & $& key', 'x new%20%26%20%24%26%20key y']);
		assert.deepEqual(createFilledMarks({ KEY: '' }), ['', 'x  y']);
		assert.deepEqual(createFilledMarks({}), ['', 'x  y']);
	});

	it('replace secrets of any length', () => {
		const [long, name] = ['top"secret'.repeat(8_000), 'LONG'];
		const given = { secretNames: [name, 'OTHER'], environment: { [name]: long, OTHER: name } };
		const marks = new SecretMarks(given);
		const value = [`a ${long} b ${long} LONG`, JSON.stringify(long)];
		const marked = marks.markSecrets(value);
		assert.ok(!JSON.stringify(marked).includes('secret'));
		assert.deepEqual(new SecretMarks(given, marks.key).fillSecrets(marked), value);
	});

	it("can't be forged by texts of users", () => {
		const marks = new SecretMarks(agent);
		const texts = ['⟦0 KEY⟧', '⟦', `⟦${new SecretMarks(agent).key} 0 KEY⟧`, '⟦⟦', '***', `⟦${key}⟧`];
		const { key: id } = marks;
		assert.deepEqual(new SecretMarks(agent, id).fillSecrets(marks.markSecrets(texts)), texts);
	});

	it("don't replace secrets that are too short to be masked", () => {
		const marks = new SecretMarks(createAgentWith({ KEY: 'abc', OTHER: '' }));
		assert.deepEqual(marks.markSecrets({ abc: 'abc' }), { abc: 'abc' });
	});

	it('replace the longer of two secrets if one starts with the other', () => {
		const both = createAgentWith({ KEY: 'sk-long', OTHER: 'sk-long-er' });
		const marks = new SecretMarks(both);
		const marked = marks.markSecrets('sk-long-er sk-long');
		assert.ok(!marked.includes('-er'));
		assert.equal(new SecretMarks(both, marks.key).fillSecrets(marked), 'sk-long-er sk-long');
	});
});
