// node scripts/attackTable.ts: writes the table of attacks into docs/internals/attacks.md, from the titles in test/faults; a test holds one to the other.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './lib/paths.ts';

interface Listed {
	readonly title: string;
	readonly fullTitle: string;
}

const head = '| attack | what must hold | tried |\n|---|---|---|\n';
const guide = path.join(root, 'docs/internals/attacks.md');

/** The table as the titles have it, without running any: a line each, those that only `--long` runs marked. */
export function attackTable(): string {
	const { FAULTS_LONG: _, ...env } = process.env;
	const args = ['--config', 'test/faults/.mocharc.json', '--dry-run', '--reporter', 'json'];
	const text = execFileSync(process.execPath, [path.join(root, 'node_modules/mocha/bin/mocha.js'), ...args], {
		cwd: root,
		env,
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
	});
	const { tests, pending } = JSON.parse(text.slice(text.indexOf('{'))) as { tests: Listed[]; pending: Listed[] };
	const long = new Set(pending.map(({ fullTitle }) => fullTitle));
	return head + tests.map(test => rowOf(test, long.has(test.fullTitle))).join('');
}

/** The table as docs/internals/attacks.md has it now. */
export function writtenTable(): string {
	const text = fs.readFileSync(guide, 'utf8');
	const from = text.indexOf(head);
	return from < 0 ? '' : text.slice(from, endOfTable(text, from));
}

function rowOf({ title, fullTitle }: Listed, long: boolean): string {
	const attack = fullTitle.slice(0, -title.length).trim();
	return `| ${cell(attack)} | ${cell(title)} | ${long ? '`--long`' : 'always'} |\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function endOfTable(text: string, from: number): number {
	const end = text.indexOf('\n\n', from);
	return end < 0 ? text.length : end + 1;
}

if (import.meta.main) {
	const text = fs.readFileSync(guide, 'utf8');
	const from = text.indexOf(head);
	fs.writeFileSync(guide, text.slice(0, from) + attackTable() + text.slice(endOfTable(text, from)));
}
