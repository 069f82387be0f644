// Builds dist/: the extension, its client chunk (loaded on first use), the gateway and, with --tests, the host tests.
// --production: minified, without source maps, with the licenses of bundled packages (used for the package).
// --only-tests: only the host tests, next to an existing build. --watch: rebuilds on change.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { createThirdPartyNotices } from './scripts/lib/thirdPartyNotices.ts';
import { listBundledInputs } from './scripts/release/sbom.ts';

const root = path.dirname(fileURLToPath(import.meta.url));
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const onlyTests = process.argv.includes('--only-tests');
const tests = onlyTests || process.argv.includes('--tests');

/**
 * Modules that are loaded with `import()` on first use: each becomes a separate file next to extension.cjs. The client's limits need zod,
 * which takes as long to load as the rest of the client.
 */
const chunks = {
	'src/base/files/createFile.ts': 'createFile.cjs',
	'src/editor/connections/commands/connectionActions.ts': 'connections.cjs',
	'src/editor/connections/gateway/gatewayStart.ts': 'gatewayStart.cjs',
	'src/editor/connections/gateway/restartOffer.ts': 'restartOffer.cjs',
	'src/editor/connections/gateway/setUpstreamKey.ts': 'setUpstreamKey.cjs',
	'src/editor/connections/gateway/mcpServers.ts': 'mcpServers.cjs',
	'src/editor/explorer/explorerCore.ts': 'explorer.cjs',
	'src/editor/explorer/conversations/conversationActions.ts': 'conversations.cjs',
	'src/client/client.ts': 'client.cjs',
	'src/client/limits.ts': 'clientLimits.cjs',
	'src/client/dify/difyClient.ts': 'difyClient.cjs',
	'src/editor/runs/runsCore.ts': 'runs.cjs',
	'src/editor/agents/agentsCore.ts': 'agents.cjs',
	'src/editor/runs/inspector/inspectors.ts': 'inspector.cjs',
	'src/editor/runs/logs/logsPages.ts': 'logs.cjs',
	'src/editor/runs/usage/usagePages.ts': 'usage.cjs',
	'src/editor/suites/suiteTesting.ts': 'testing.cjs',
	'src/pages/graph/picture/agentPicture.ts': 'agentPicture.cjs',
	'src/editor/runs/inputs/inputForms.ts': 'inputs.cjs',
	'src/editor/agents/graph/graphPanels.ts': 'graph.cjs',
	'src/editor/agents/graph/agentImage.ts': 'agentImage.cjs',
	'src/editor/debugger/agentDebugging.ts': 'debugging.cjs',
	'src/editor/chat/createChat.ts': 'chat.cjs',
	'src/editor/prompts/promptCore.ts': 'prompts.cjs',
	'src/editor/assistant/assistantCore.ts': 'assistant.cjs',
	'src/editor/dify/difyCore.ts': 'dify.cjs',
	'src/editor/support/supportCommands.ts': 'support.cjs',
};

/**
 * The same for the gateway. The AI SDK needs all of zod: in one bundle with the gateway, which uses only a part of it, esbuild would share
 * it between both and load it at every start.
 */
const gatewayChunks = {
	'src/models/providers/anthropic.ts': 'gateway-provider-anthropic.js',
	'src/models/providers/google.ts': 'gateway-provider-google.js',
	'src/models/providers/openaiCompatible.ts': 'gateway-provider-openai.js',
	'src/engine/tools/mcp/mcpConnection.ts': 'gateway-mcp.js',
	'src/gateway/mcp/protocol/serveMcp.ts': 'gateway-mcp-server.js',
};

const lazyChunks = {
	name: 'lazy-chunks',
	setup(build) {
		build.onResolve({ filter: /^(\.{1,2}\/|#)/ }, args => {
			if (args.kind !== 'dynamic-import') {
				return undefined;
			}
			const absolute = args.path.startsWith('#') ? path.join(root, 'src', args.path.slice(1)) : path.resolve(args.resolveDir, args.path);
			const file = path.relative(root, absolute).replaceAll('\\', '/');
			const chunk = chunks[file] ?? gatewayChunks[file];
			return chunk ? { path: `./${chunk}`, external: true } : undefined;
		});
	},
};

/** Each folder of src/pages with a main.ts is a page: NAME.js, and NAME-style.css from its NAME.css. */
const pageEntries = Object.fromEntries(
	fs.globSync('src/pages/*/main.ts', { cwd: root }).flatMap(file => {
		const folder = path.dirname(file);
		const name = path.basename(folder);
		return [
			[name, file],
			[`${name}-style`, path.join(folder, `${name}.css`)],
		];
	}),
);

/**
 * undici's lib/global.js replaces the process-wide fetch dispatcher of every extension in the host when it is loaded
 * (undici 8 defines Symbol.for('undici.globalDispatcher.1') and '.2'); nothing of ours needs it.
 */
const noGlobalDispatcher = {
	name: 'no-global-dispatcher',
	setup(build) {
		build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]global\.js$/ }, () => ({
			contents: `const refuse = () => { throw new Error('The process-wide dispatcher is not ours to use'); };
				module.exports = { getGlobalDispatcher: refuse, setGlobalDispatcher: refuse };`,
		}));
	},
};

/**
 * Drops the parts of undici that the client never uses, a third of it. With `esbuildDetection` defined, undici itself drops its second
 * parser (for its copy inside Node.js). The variant of the first parser without SIMD is for processors that VS Code doesn't support; if it
 * is requested (UNDICI_NO_WASM_SIMD, JEST_WORKER_ID), the other variant replaces it. HTTP/2 is disabled (network/dispatcher.ts), and bodies
 * are text or bytes.
 */
const leanUndici = {
	name: 'lean-undici',
	setup(build) {
		build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp-wasm\.js$/ }, () => ({
			contents: `module.exports = require('./llhttp_simd-wasm.js');`,
		}));
		build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/](web[\\/].*|dispatcher[\\/]client-h2)\.js$/ }, ({ path: file }) => ({
			contents: `module.exports = () => { throw new Error('Left out of this bundle: ${path.basename(file)}'); };`,
		}));
	},
};

/**
 * undici's parser is a third of the client chunk and isn't needed until the first connection. As a separate file it saves a tenth of the
 * loading time.
 */
const httpParser = { entry: 'node_modules/undici/lib/llhttp/llhttp_simd-wasm.js', file: 'httpParser.cjs' };
const separateHttpParser = {
	name: 'separate-http-parser',
	setup(build) {
		build.onResolve({ filter: /llhttp_simd-wasm\.js$/ }, ({ kind }) =>
			kind === 'entry-point' ? undefined : { path: `./${httpParser.file}`, external: true },
		);
	},
};

/** The YAML parser, half of each chunk that reads agent files, as a shared file. */
const yaml = { entry: 'node_modules/yaml/dist/index.js', file: 'yaml.cjs' };
const separateYaml = {
	name: 'separate-yaml',
	setup(build) {
		build.onResolve({ filter: /^yaml$/ }, () => ({ path: `./${yaml.file}`, external: true }));
	},
};

/**
 * zod as a shared file instead of a copy in each of ten chunks, reduced to the parts that the sources name (`z.string` and so on), a
 * quarter of it.
 */
const zodFile = 'zod.cjs';
const separateZod = {
	name: 'separate-zod',
	setup(build) {
		build.onResolve({ filter: /^zod$/ }, () => ({ path: `./${zodFile}`, external: true }));
	},
};
async function createZodEntry() {
	const sources = fs.globSync('src/**/*.ts', { cwd: root }).map(file => fs.readFileSync(path.join(root, file), 'utf8'));
	const named = new Set(sources.flatMap(text => [...text.matchAll(/\bz\.(\w+)/g)].map(([, name]) => name)));
	const known = await import('zod');
	const parts = [...named].filter(name => name in known && name !== 'core').sort();
	return { contents: `export { ${parts.join(', ')} } from 'zod';`, resolveDir: root };
}

/** The parser of JSON with comments, in each chunk that reads run files or settings, as a shared file. */
const jsonParser = { entry: 'node_modules/jsonc-parser/lib/esm/main.js', file: 'jsonc.cjs' };
const separateJsonParser = {
	name: 'separate-json-parser',
	setup(build) {
		build.onResolve({ filter: /^jsonc-parser$/ }, () => ({ path: `./${jsonParser.file}`, external: true }));
	},
};

/**
 * Our modules that read agent files, in a dozen chunks, and those that write them, in five, as two shared files. Each module is an export,
 * named by its place here.
 */
const reading = createSharedModules(
	'agentFile.cjs',
	'src/agentFile/{reading/*,nodeKinds/*,agentText,agentYaml,agentGraph,agentVariables,references,scalarText}.ts',
);
const writing = createSharedModules('agentWriting.cjs', 'src/agentFile/{edits,names,writing}/*.ts');

/** Returns the build of a shared file, and the plugin that replaces the imports of its modules elsewhere. */
function createSharedModules(file, pattern) {
	const modules = fs
		.globSync(pattern, { cwd: root })
		.map(module => module.replaceAll('\\', '/'))
		.sort();
	const entry = { contents: modules.map((module, at) => `export * as m${at} from './${module}';`).join('\n'), resolveDir: root };
	const separate = {
		name: `separate-${file}`,
		setup(build) {
			build.onResolve({ filter: /^(\.{1,2}\/|#agentFile\/)/ }, ({ path: name, kind, resolveDir, namespace }) => {
				if (namespace === file) {
					return { path: name, external: true };
				}
				const absolute = name.startsWith('#') ? path.join(root, 'src', name.slice(1)) : path.resolve(resolveDir, name);
				const at = modules.indexOf(path.relative(root, absolute).replaceAll('\\', '/'));
				return kind === 'import-statement' && at >= 0 ? { path: `m${at}`, namespace: file, sideEffects: false } : undefined;
			});
			build.onLoad({ filter: /./, namespace: file }, ({ path: name }) => ({ contents: `module.exports = require('./${file}').${name};` }));
		},
	};
	return { file, entry, separate };
}

/** undici, half of each chunk that sends requests, as a shared file. */
const dispatcher = { entry: 'src/network/dispatcher.ts', file: 'dispatcher.cjs' };
const separateDispatcher = {
	name: 'separate-dispatcher',
	setup(build) {
		build.onResolve({ filter: /(^\.|[#/]network)\/dispatcher\.ts$/ }, ({ kind }) =>
			kind === 'entry-point' ? undefined : { path: `./${dispatcher.file}`, external: true },
		);
	},
};

/** Drops the schema compiler of the MCP SDKs, a third of each: our code doesn't use it (mcpConnection.ts, toolServer.ts). */
const noSchemaCompiler = {
	name: 'no-schema-compiler',
	setup(build) {
		build.onLoad({ filter: /[\\/]@modelcontextprotocol[\\/](client|server)[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
			contents: `export const CORS_IS_POSSIBLE = false; export class DefaultJsonSchemaValidator { getValidator() { throw new Error('Left out of this bundle: ajv'); } }`,
		}));
	},
};

/** Drops the MCP client's sign-in and its former transport: we sign in to no server, and all addresses are of streamable HTTP. */
const leanMcpClient = {
	name: 'lean-mcp-client',
	setup(build) {
		build.onResolve({ filter: /^(jose|pkce-challenge|eventsource)$/ }, ({ path, importer, kind }) => {
			if (!/[\\/]@modelcontextprotocol[\\/]client[\\/]/.test(importer)) {
				return undefined;
			}
			// esbuild drops such an import here, but would still write its module as a file
			return kind === 'dynamic-import' ? { external: true } : { path, namespace: 'left-out' };
		});
		build.onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
			contents: `const refuse = () => { throw new Error('Left out of this bundle: ${path}'); }; export { refuse as default, refuse as EventSource };`,
		}));
	},
};

/** Drops zod's messages in fifty languages, half of a complete zod: ours are in English. */
const englishZod = {
	name: 'english-zod',
	setup(build) {
		build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
			contents: `export { default as en } from './en.js';`,
			resolveDir: path.join(root, 'node_modules/zod/v4/locales'),
		}));
	},
};

/** Drops QuickJS's asynchronous variant, which isn't used: esbuild drops the import of its module, but would still write the module. */
const noAsyncQuickJs = {
	name: 'no-async-quickjs',
	setup(build) {
		build.onResolve({ filter: /^\.\/module-asyncify-/ }, () => ({ external: true }));
	},
};

/**
 * Imports VS Code's API and Node's modules once per bundle, and reads only the names that are used. Otherwise each file that imports them
 * would load them, which VS Code resolves by the importing file, and copy their hundreds of names. That took half of the activation time.
 */
const importedOnce = {
	name: 'imported-once',
	setup(build) {
		build.onResolve({ filter: /^(vscode|node:[a-z/]+)$/ }, ({ path, kind }) =>
			kind === 'import-statement' ? { path, namespace: 'once', sideEffects: false } : { path, external: true },
		);
		build.onLoad({ filter: /./, namespace: 'once' }, async ({ path }) => {
			const names = path === 'vscode' ? listApiNames() : Object.keys(await import(path)).filter(name => name !== 'default');
			const exported = names.map(name => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`);
			return { contents: [`const all = require('${path}');`, 'export default all;', ...exported].join('\n') };
		});
	},
};
let apiNames;
/** Lists the names of VS Code's API in our sources and tests, which are read once for all bundles. */
function listApiNames() {
	apiNames ??= fs
		.globSync('{src,test}/**/*.ts', { cwd: root })
		.flatMap(file => [...fs.readFileSync(path.join(root, file), 'utf8').matchAll(/\bvscode(?: as [^)]*\))?\.(\w+)/g)])
		.map(([, name]) => name);
	return [...new Set(apiNames)].sort();
}

/**
 * Requires Node's modules with properties that load other modules when they are read, such as `http.WebSocket`, which loads a whole copy of
 * undici. An import statement reads all properties; that took a fifth of the gateway's start.
 */
const lazyProperties = {
	name: 'lazy-properties',
	setup(build) {
		build.onResolve({ filter: /^node:(http|util)$/ }, ({ path, kind }) =>
			kind === 'import-statement' ? { path, namespace: 'required' } : { path, external: true },
		);
		build.onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({ contents: `module.exports = require('${path}');` }));
	},
};

/**
 * Loads what the gateway needs only for requests to other services at the first of them: undici, and Node's modules for TLS, compression
 * and names. Loading them took a fourth of the time until the gateway listens. Each import is replaced by an object that loads the module
 * when it is used.
 */
const loadedOnUse = {
	name: 'loaded-on-use',
	setup(build) {
		build.onResolve({ filter: /^(node:(dns|tls|zlib)$|undici\/)/ }, ({ path: name, kind, importer, resolveDir }) =>
			kind === 'import-statement' && !importer.includes('node_modules')
				? { path: name, namespace: 'on-use', pluginData: resolveDir, sideEffects: false }
				: undefined,
		);
		build.onLoad({ filter: /./, namespace: 'on-use' }, ({ path: name, pluginData }) => ({
			resolveDir: pluginData,
			contents: `let loaded;
				const load = () => (loaded ??= require('${name}'));
				export default new Proxy(function () {}, {
					get: (_, property) => load()[property],
					apply: (_, self, values) => Reflect.apply(load(), self, values),
					construct: (_, values) => Reflect.construct(load(), values),
				});`,
		}));
	},
};

/** Drops summaries and responses of endpoints from the client, because only the description of the gateway's API needs them. */
const requestsOnly = {
	name: 'requests-only',
	setup(build) {
		build.onLoad({ filter: /[\\/]contract[\\/]endpoints[\\/]\w+Endpoints\.ts$/ }, ({ path }) => ({
			contents: fs.readFileSync(path, 'utf8').replace(/\bsummary:\s*(?:'[^'\n]*'|"[^"\n]*"),?|\bresponse: \w+,?/g, ''),
			loader: 'ts',
		}));
	},
};

/** Types of diagrams that replies rarely contain. The page shows the source of such a diagram. */
const rareDiagrams =
	'agentflow block sankey swimlane architecture usecase venn wardley ishikawa cynefin eventmodeling treeView railroad railroadEbnf railroadAbnf railroadPeg info';
/**
 * Drops two thirds of Mermaid: rare diagrams, formulas in diagrams, and all layouts but the one of flowcharts, which draws mind maps as
 * trees.
 */
const leanMermaid = {
	name: 'lean-mermaid',
	setup(build) {
		const rare = new Set(rareDiagrams.split(' '));
		build.onLoad({ filter: /[\\/]mermaid[\\/]dist[\\/]mermaid\.core\.mjs$/ }, ({ path }) => ({
			contents: fs
				.readFileSync(path, 'utf8')
				.replace(/(var id\d* = "([\w-]+)";(?:(?!var id\d* =)[\s\S])*?await )import\("[^"]+"\)/g, (loader, start, id) =>
					rare.has(id) ? `${start}Promise.reject(new Error("This type of diagram isn't supported: ${id}"))` : loader,
				),
		}));
		build.onResolve({ filter: /^\.\/(cose-bilkent|elk|swimlanes)-\w+\.mjs$/ }, ({ resolveDir }) => ({
			path: path.join(resolveDir, fs.globSync('dagre-*.mjs', { cwd: resolveDir })[0]),
		}));
		build.onResolve({ filter: /^katex$/ }, ({ path }) => ({ path, namespace: 'left-out' }));
		build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'export default { renderToString: text => text };' }));
	},
};

const node = {
	bundle: true,
	platform: 'node',
	target: 'node22.19',
	minify: production,
	sourcemap: production ? false : 'linked',
	metafile: production,
	legalComments: 'none',
	logLevel: 'warning',
	absWorkingDir: root,
	// jsonc-parser's CommonJS form can't be bundled because of its dynamic imports: prefer its module form
	mainFields: ['module', 'main'],
	define: { esbuildDetection: 'true' },
	plugins: [lazyChunks, noGlobalDispatcher, leanUndici, noAsyncQuickJs, noSchemaCompiler, leanMcpClient, englishZod],
};
const cjs = {
	...node,
	format: 'cjs',
	external: ['vscode', 'mocha'],
	supported: { 'dynamic-import': false },
	plugins: [importedOnce, requestsOnly, ...node.plugins],
};

const separateParsers = [separateYaml, separateZod, separateJsonParser];

const gateway = {
	...node,
	format: 'esm',
	splitting: true,
	outdir: 'dist',
	plugins: [loadedOnUse, lazyProperties, ...node.plugins],
	// packages in CommonJS form call require() for Node's modules
	banner: { js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);" },
};

const programs = [
	{ ...cjs, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.cjs' },
	...Object.entries({
		...chunks,
		[httpParser.entry]: httpParser.file,
		[yaml.entry]: yaml.file,
		[dispatcher.entry]: dispatcher.file,
		[jsonParser.entry]: jsonParser.file,
	}).map(([entry, file]) => ({
		...cjs,
		entryPoints: [entry],
		outfile: `dist/${file}`,
		plugins: [separateHttpParser, separateDispatcher, reading.separate, writing.separate, ...separateParsers, ...cjs.plugins],
	})),
	{ ...cjs, stdin: await createZodEntry(), outfile: `dist/${zodFile}` },
	{ ...cjs, stdin: reading.entry, outfile: `dist/${reading.file}`, plugins: [...separateParsers, ...cjs.plugins] },
	{ ...cjs, stdin: writing.entry, outfile: `dist/${writing.file}`, plugins: [reading.separate, ...separateParsers, ...cjs.plugins] },
	{
		...gateway,
		// threads and QuickJS are found next to the code that starts them: all files stay in one folder
		entryPoints: {
			gateway: 'src/gateway/main.ts',
			codeThread: 'src/engine/code/codeThread.ts',
			taskThread: 'src/engine/threads/taskThread.ts',
			checkThread: 'src/suites/checks/thread/checkThread.ts',
			checkpointThread: 'src/gateway/store/checkpointThread.ts',
			searchThread: 'src/gateway/store/search/searchThread.ts',
			indexThread: 'src/gateway/knowledge/index/indexThread.ts',
		},
		chunkNames: 'gateway-[name]-[hash]',
	},
	{
		// the command line: code loaded on first use is in separate chunks, not the editor's; the build fails if it imports the editor's code
		...gateway,
		plugins: [requestsOnly, ...gateway.plugins.filter(plugin => plugin !== lazyChunks)],
		entryPoints: { cli: 'src/cli/main.ts' },
		chunkNames: 'cli-[name]-[hash]',
	},
	{
		...gateway,
		entryPoints: Object.fromEntries(Object.entries(gatewayChunks).map(([entry, file]) => [file.replace('.js', ''), entry])),
		chunkNames: 'gateway-provider-[name]-[hash]',
	},
	{
		...node,
		platform: 'browser',
		target: 'chrome128',
		format: 'esm',
		splitting: true,
		plugins: [leanMermaid, ...node.plugins],
		// the style sheet of formulas has a font for script letters: the system's are fine
		loader: { '.woff2': 'empty' },
		entryPoints: pageEntries,
		outdir: 'dist/webview',
		chunkNames: 'shared/[name]-[hash]',
	},
];
const createHostTestBuild = () => ({
	...cjs,
	// a test that creates a part itself needs the part's chunks in its own bundle
	plugins: [noGlobalDispatcher, leanUndici],
	minify: false,
	sourcemap: 'linked',
	entryPoints: ['test/host/index.ts', ...fs.globSync('test/host/**/*.test.ts', { cwd: root })],
	outbase: 'test/host',
	outdir: 'dist/test/host',
	outExtension: { '.js': '.cjs' },
});
/** Files of packages that are copied unchanged. */
const copies = {
	'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm': 'dist/emscripten-module.wasm',
	'node_modules/@vscode/codicons/dist/codicon.css': 'dist/webview/codicons/codicon.css',
	'node_modules/@vscode/codicons/dist/codicon.ttf': 'dist/webview/codicons/codicon.ttf',
};
const builds = [...(onlyTests ? [] : programs), ...(tests ? [createHostTestBuild()] : [])];

// all but the packages, which are tested next to a build with source maps
for (const name of fs.globSync(onlyTests ? 'dist/test' : 'dist/*', {
	cwd: root,
	exclude: ['dist/*.{vsix,tgz,cdx.json}', 'dist/SHA256SUMS'],
})) {
	fs.rmSync(path.join(root, name), { recursive: true });
}
if (!onlyTests) {
	for (const [file, to] of Object.entries(copies)) {
		fs.cpSync(path.join(root, file), path.join(root, to));
	}
}
if (watch) {
	for (const options of builds) {
		await (await context({ ...options, logLevel: 'info' })).watch();
	}
} else {
	const results = await Promise.all(builds.map(options => build(options)));
	if (production) {
		const metafile = mergeMetafiles(results);
		fs.writeFileSync(path.join(root, 'dist/metafile.json'), JSON.stringify(metafile));
		const inputs = listBundledInputs(metafile, () => true);
		fs.writeFileSync(path.join(root, 'dist/THIRD-PARTY-NOTICES.txt'), createThirdPartyNotices(root, inputs));
	}
}

/** Returns what each file contains, in the form of esbuild's metafile: the outputs of all builds, and the copied files. */
function mergeMetafiles(results) {
	const copied = Object.entries(copies).map(([file, to]) => [
		to,
		{ inputs: { [file]: { bytesInOutput: fs.statSync(path.join(root, to)).size } } },
	]);
	return { outputs: Object.fromEntries([...copied, ...results.flatMap(({ metafile }) => Object.entries(metafile.outputs))]) };
}
