import assert from 'node:assert/strict';
import { describeSetting, formatIssueReport } from '#editor/support/issueReport.ts';

const facts = {
	versions: { 'Agent Workbench': '1.2.3', 'VS Code': '1.139.1' },
	settings: [],
	log: '',
	secrets: [],
	homeFolder: '/home/ana',
};

describe('an issue report', () => {
	it('shows values of settings only if they are switches, numbers or fixed words', () => {
		assert.deepEqual(describeSetting('a', { type: 'boolean' }, true), { name: 'a', value: true });
		assert.deepEqual(describeSetting('a', { type: 'number' }, 8080), { name: 'a', value: 8080 });
		assert.deepEqual(describeSetting('a', { type: 'string', enum: ['off', 'on'] }, 'on'), { name: 'a', value: 'on' });
		assert.deepEqual(describeSetting('a', { type: 'string', enum: ['off', 'on'] }, 'sk-mine'), { name: 'a' });
		assert.deepEqual(describeSetting('a', { type: 'string' }, '/usr/bin/python3'), { name: 'a' });
		assert.deepEqual(describeSetting('a', { type: 'array' }, [{ key: 'x' }]), { name: 'a' });
	});

	it('lists versions, changed settings and the log', () => {
		const text = formatIssueReport({ ...facts, settings: [{ name: 'a.port', value: 0 }, { name: 'a.routes' }], log: 'one\ntwo\n' });
		assert.match(text, /- VS Code: 1\.139\.1\n/);
		assert.match(text, /- `a\.port`: 0\n- `a\.routes`: \(set, value not shown\)\n/);
		assert.match(text, /```text\none\ntwo\n```\n$/);
	});

	it('contains no form of the home folder on Windows, and a log that cannot end its block', () => {
		const log = 'C:\\Users\\Ana B\\x c:/Users/Ana B/y file:///c%3A/Users/Ana%20B/z {"p":"C:\\\\Users\\\\Ana B"}\n````\n@someone';
		const text = formatIssueReport({ ...facts, log, homeFolder: 'C:\\Users\\Ana B' });
		assert.doesNotMatch(text, /Ana/);
		assert.match(text, /`````text\n.*````\n@someone\n`````\n$/s);
	});

	it("contains no stored secret, nothing that looks like one, and not the user's name from the home folder", () => {
		const log = 'read /home/ana/work\nsent plain-secret to a server\nauthorization: Bearer 12345678';
		const text = formatIssueReport({ ...facts, log, secrets: ['plain-secret'] });
		assert.match(text, /read ~\/work\nsent \*\*\* to a server\nauthorization: Bearer \*\*\*\n/);
	});
});
