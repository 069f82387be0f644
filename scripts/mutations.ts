// node scripts/mutations.ts [--seed N] [--count N] [--only N,N…] [--layers unit,contract…] [--minutes N]: changes one spot of src/ at a time in a copy of the last
// commit, and reports which command catches each change (docs/internals/measurements.md, "Mutations").
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/paths.ts';
import { visitSourceFiles } from './lib/sourceFiles.ts';
import { equivalents } from './mutations/equivalents.ts';
import { applyMutation, findMutations, type Mutation, pickMutations } from './mutations/findMutations.ts';
import { MutatedCopy } from './mutations/mutatedCopy.ts';
import { layers, TestOrder } from './mutations/testOrder.ts';

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		count: { type: 'string', default: '50' },
		only: { type: 'string' },
		layers: { type: 'string', default: layers.join(',') },
		minutes: { type: 'string', default: '30' },
		list: { type: 'boolean', default: false },
	},
});

const all: Mutation[] = [];
visitSourceFiles((file, source) => all.push(...findMutations(file, source, source.text)));
const picked = pickMutations(all, Number(values.count), Number(values.seed)).map((mutation, index) => ({ mutation, number: index + 1 }));
const chosen = picked.filter(({ number }) => !values.only || values.only.split(',').includes(String(number)));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => process.exit(130));
}
console.log(
	`${all.length} possible mutations, seed ${values.seed}\n\n| # | kind | change | caught by | first failure | s |\n|---|---|---|---|---|---|`,
);
const totals: Record<string, number> = { 'npm test': 0, 'test:rest': 0, equivalent: 0, survived: 0 };
if (values.list) {
	for (const { mutation, number } of chosen) {
		console.log(`| ${number} | ${mutation.kind} | ${describeChange(mutation)} |`);
	}
} else {
	await testMutations();
	console.log(
		`\n${Object.entries(totals)
			.map(([outcome, count]) => `${outcome}: ${count}`)
			.join(', ')}`,
	);
	process.exitCode = totals['survived'] ? 1 : 0;
}

async function testMutations(): Promise<void> {
	using copy = new MutatedCopy();
	process.once('exit', () => copy[Symbol.dispose]());
	await copy.prepareTypeCheck();
	const order = new TestOrder(copy.folder);
	for (const { mutation, number } of chosen) {
		const started = performance.now();
		const reason = equivalents[describeChange(mutation)];
		const tests = order.listReachingFiles(mutation.file).filter(({ layer }) => values.layers.split(',').includes(layer));
		const verdict = reason
			? { caughtBy: 'equivalent', detail: reason }
			: await copy.testMutation(mutation, tests, Number(values.minutes) * 60_000);
		const outcome = verdict.caughtBy ?? 'survived';
		totals[outcome] = (totals[outcome] ?? 0) + 1;
		const seconds = Math.round((performance.now() - started) / 1000);
		const cells = [number, mutation.kind, `\`${describeChange(mutation)}\``, outcome, verdict.detail, seconds];
		console.log(`| ${cells.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`);
	}
}

/** Returns the file and its changed line before and after, as the list of equivalent mutations names them. */
function describeChange(mutation: Mutation): string {
	const text = fs.readFileSync(path.join(root, mutation.file), 'utf8');
	const getLine = (all: string, end: number): string =>
		all
			.slice(all.lastIndexOf('\n', mutation.start - 1) + 1, all.indexOf('\n', end))
			.trim()
			.replaceAll(/\s+/g, ' ');
	const before = getLine(text, mutation.end);
	return `${mutation.file}: ${before} → ${getLine(applyMutation(mutation, text), mutation.start + mutation.replacement.length)}`;
}
