// node scripts/attackTable.ts: generates the table of attacks in docs/internals/attacks.md from the titles in test/faults; a test compares
// the two.
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

/** Builds the table from the titles, one row each, without running the tests. Marks attacks that run only with `--long`. */
export function createAttackTable(): string {
	const { FAULTS_LONG: _, ...env } = process.env;
	const args = ['--config', 'test/faults/.mocharc.json', '--dry-run', '--reporter', 'json', 'test/faults/**/*.test.ts'];
	const text = execFileSync(process.execPath, [path.join(root, 'node_modules/mocha/bin/mocha.js'), ...args], {
		cwd: root,
		env,
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
	});
	const { tests, pending } = JSON.parse(text.slice(text.indexOf('{'))) as { tests: Listed[]; pending: Listed[] };
	const long = new Set(pending.map(({ fullTitle }) => fullTitle));
	return head + tests.map(test => formatRow(test, long.has(test.fullTitle))).join('');
}

/** Returns the current table in docs/internals/attacks.md. */
export function readWrittenTable(): string {
	const text = fs.readFileSync(guide, 'utf8');
	const from = text.indexOf(head);
	return from < 0 ? '' : text.slice(from, findTableEnd(text, from));
}

function formatRow({ title, fullTitle }: Listed, long: boolean): string {
	const attack = fullTitle.slice(0, -title.length).trim();
	return `| ${escapeCell(attack)} | ${escapeCell(title)} | ${long ? '`--long`' : 'always'} |\n`;
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

function findTableEnd(text: string, from: number): number {
	const end = text.indexOf('\n\n', from);
	return end < 0 ? text.length : end + 1;
}

if (import.meta.main) {
	const text = fs.readFileSync(guide, 'utf8');
	const from = text.indexOf(head);
	fs.writeFileSync(guide, text.slice(0, from) + createAttackTable() + text.slice(findTableEnd(text, from)));
}
