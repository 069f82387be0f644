// Fails on an import that goes against the rules between folders (CONTRIBUTING.md, "Rules between folders").
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const features = ['connections', 'explorer', 'workflows', 'conversations', 'chat'];

/**
 * What each folder of src/ may import. `value`: folders and packages; `type`: folders of which only types may be imported,
 * because their code is loaded later (client) or handed over by extension.ts (other features).
 */
const rules = {
	protocol: { value: ['protocol'], packages: ['zod'] },
	client: { value: ['client', 'protocol'], packages: ['undici/lib', 'eventsource-parser', 'zod', 'node'] },
	gateway: { value: ['gateway', 'protocol'], packages: 'all but vscode' },
	webview: { value: ['webview'], type: ['protocol', 'chat', 'workflows'], packages: 'all but vscode' },
	common: { value: ['common'], type: ['protocol'], packages: ['vscode', 'node'] },
	...Object.fromEntries(
		features.map(f => [
			f,
			{
				value: [f, 'common', 'protocol'],
				type: ['client', ...features],
				lazy: ['client'],
				packages: ['vscode', 'node', 'jsonc-parser', 'yaml', 'zod'],
			},
		]),
	),
	'extension.ts': { value: [...features, 'common'], type: ['client', 'protocol'], lazy: ['client'], packages: ['vscode', 'node'] },
};

const statement =
	/(?:^|\n)\s*(import|export)\s+(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** @returns {{ from: string, kind: 'value' | 'type' | 'lazy' }[]} */
function importsOf(text) {
	return [...text.matchAll(statement)].map(m => ({ from: m[3] ?? m[4] ?? m[5], kind: m[5] ? 'lazy' : m[2] ? 'type' : 'value' }));
}

const packageOf = name => (name.startsWith('node:') ? 'node' : name);
const allows = (packages, name) =>
	packages === 'all but vscode' ? name !== 'vscode' : packages.some(p => packageOf(name) === p || name.startsWith(`${p}/`));

function fault(sources, file, rule, { from, kind }) {
	if (from === 'undici') {
		return "imports undici's index, which replaces the process-wide fetch dispatcher: import from undici/lib/…";
	}
	if (!from.startsWith('.')) {
		return kind === 'type' || allows(rule.packages, from) ? undefined : `imports the package ${from}`;
	}
	if (!from.endsWith('.ts') && !from.endsWith('.json')) {
		return `imports ${from} without its .ts ending`;
	}
	const folder = path.relative(sources, path.resolve(path.dirname(file), from)).split(path.sep)[0];
	const allowed = [...rule.value, ...(kind === 'type' ? (rule.type ?? []) : []), ...(kind === 'lazy' ? (rule.lazy ?? []) : [])];
	return allowed.includes(folder) ? undefined : `imports ${from} (${kind}), which its folder may not`;
}

/** @returns {string[]} one sentence a fault: the file, and what is wrong with which import */
export function findFaults(sources) {
	const faults = [];
	for (const name of fs.globSync('**/*.ts', { cwd: sources })) {
		const rule = rules[name.split(path.sep)[0]];
		const file = path.join(sources, name);
		const found = rule
			? importsOf(fs.readFileSync(file, 'utf8')).map(entry => fault(sources, file, rule, entry))
			: ['lies in a folder that has no rule'];
		faults.push(...found.filter(Boolean).map(wrong => `${path.posix.join('src', name.replaceAll(path.sep, '/'))}: ${wrong}`));
	}
	return faults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const faults = findFaults(path.join(path.dirname(fileURLToPath(import.meta.url)), '../src'));
	for (const line of faults) {
		console.error(line);
	}
	process.exit(faults.length ? 1 : 0);
}
