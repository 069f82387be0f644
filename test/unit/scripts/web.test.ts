import assert from 'node:assert/strict';
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { build } from 'esbuild';
import { root } from '../../../scripts/lib/paths.ts';

/** Units that should run in a browser, where all of this is missing. */
const units = ['agentFile', 'contract', 'pages', 'runs'];
const globals = ['Buffer', 'process', 'setImmediate', 'global', '__dirname', '__filename'];
const builtins = new Set(builtinModules);
const page = fs.readFileSync(path.join(root, 'docs/internals/web.md'), 'utf8');

/** Bundles for a browser. Modules of Node stay imports, and its globals become `ofNode_NAME`. */
const bundle = (entryPoints: string[], stdin?: string) =>
	build({
		absWorkingDir: root,
		entryPoints,
		...(stdin ? { stdin: { contents: stdin, resolveDir: root, loader: 'ts' } } : { splitting: true, outdir: 'nowhere' }),
		bundle: true,
		write: false,
		metafile: true,
		format: stdin ? 'iife' : 'esm',
		globalName: 'web',
		platform: 'browser',
		logLevel: 'silent',
		loader: { '.css': 'empty' },
		define: Object.fromEntries(globals.map(name => [name, `ofNode_${name}`])),
		plugins: [
			{
				name: 'node',
				setup: ({ onResolve, onLoad }) => {
					onResolve({ filter: /^[^.#/]/ }, ({ path: name }) =>
						name.startsWith('node:') || builtins.has(name) ? { path: name, external: true } : undefined,
					);
					// made for browsers, and uses globals of Node only where they exist
					onResolve({ filter: /^mermaid$/ }, ({ path: name }) => ({ path: name, namespace: 'empty' }));
					onLoad({ filter: /^/, namespace: 'empty' }, () => ({ contents: 'module.exports = {};' }));
				},
			},
		],
	});

describe('what runs without Node', () => {
	it('is all of contract, pages, agentFile and runs, except the files in docs/internals/web.md', async () => {
		const files = units.flatMap(unit => fs.globSync(`src/${unit}/**/*.ts`, { cwd: root })).map(file => file.replaceAll(path.sep, '/'));
		const { metafile, outputFiles } = await bundle(files);
		const using = new Set(outputFiles.flatMap(({ text }) => [...text.matchAll(/ofNode_\w+/g)].map(([name]) => name)));
		assert.deepEqual([...using], ['ofNode_Buffer'], 'globals of Node');
		const needsNode = (file: string, seen = new Set<string>()): boolean =>
			(metafile.inputs[file]?.imports ?? []).some(
				each => each.external || (!seen.has(each.path) && needsNode(each.path, seen.add(each.path))),
			);
		const listed = [...page.matchAll(/^\| `(src\/[^`]+)` \|/gm)].map(([, file]) => file);
		assert.deepEqual(files.filter(file => needsNode(file)).sort(), listed.sort());
	});

	it('is enough to read, check and lay out an agent file', async () => {
		const { outputFiles } = await bundle(
			[],
			`import { AgentReading } from '#agentFile/reading/agentReading.ts';
			import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
			import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
			import { readAgentGraph } from '#agentFile/agentGraph.ts';
			import file from './media/agent.schema.json';
			export function check(text) {
				const reading = new AgentReading(text);
				const faults = findAgentFaults(reading, new AgentSchema(file), message => message);
				return JSON.stringify({ nodes: readAgentGraph(reading.content).nodes.map(({ id }) => id), faults: faults.map(({ code }) => code) });
			}`,
		);
		const text = outputFiles[0]!.text;
		assert.equal(text.includes('ofNode_'), false, 'globals of Node');
		// a context has the language itself, but nothing of Node
		const context = vm.createContext({ TextEncoder, URL });
		vm.runInContext(`${text}; globalThis.web = web;`, context);
		const check = (agent: string) => JSON.parse(vm.runInContext(`web.check(${JSON.stringify(agent)})`, context) as string);
		const agent = fs.readFileSync(path.join(root, 'samples/agents/summarize.yml'), 'utf8');
		assert.equal(check(agent).nodes.length > 2, true);
		assert.deepEqual(check(agent).faults, []);
		assert.deepEqual(check('a: [').faults, ['syntax']);
	});
});
