import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { runTestsInWorkbench } from '../../../scripts/lib/hostTestsInWorkbench.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';

/** Milliseconds from loading an extension's code to the end of its activate(). */
export interface ActivationFigures {
	readonly ownMs: number;
	/** The same for an extension that does nothing (emptyExtension). */
	readonly emptyMs: number;
}

/** A run with frequent node events. */
export interface EventFigures {
	/** Milliseconds from the write to the socket to the append to the output channel, one per node event. */
	readonly eventMs: readonly number[];
	/** Number of node events sent, and of those received in the channel. */
	readonly sent: number;
	readonly shown: number;
}

/** Memory still in use after the chat and the inspector are closed (test/bench/editor/heapInHost.ts). */
export interface HeapFigures {
	/** Heap growth in bytes over all rounds. */
	readonly grownBytes: number;
	/** Number of instances still reachable, by class. */
	readonly left: Readonly<Record<string, number>>;
}

/** Milliseconds from each letter to its completions, by the number of nodes of the agent file (completionInHost.ts). */
export interface CompletionFigures {
	readonly few: readonly number[];
	readonly many: readonly number[];
}

/** Paging through a log (pagingInHost.ts). */
export interface PagingFigures {
	/** Bytes in use after the list's window was full, and 200 pages later. */
	readonly before: number;
	readonly after: number;
}

/** Measurements that run in a window, with their results. */
interface Measured {
	readonly activation: ActivationFigures;
	readonly completion: CompletionFigures;
	readonly events: EventFigures;
	readonly paging: PagingFigures;
	readonly heap: HeapFigures;
}

/** VS Code's marks are whole milliseconds, so the mean of this many empty extensions is used. */
const emptyCount = 24;

/** Creates folders of extensions that do nothing, each with a different name. */
function createEmptyExtensions(folder: string): readonly string[] {
	const empty = path.join(import.meta.dirname, 'emptyExtension');
	const manifest = JSON.parse(fs.readFileSync(path.join(empty, 'package.json'), 'utf8')) as { name: string };
	return Array.from({ length: emptyCount }, (_, at) => {
		const copy = path.join(folder, `empty-${at}`);
		fs.cpSync(empty, copy, { recursive: true });
		fs.writeFileSync(path.join(copy, 'package.json'), JSON.stringify({ ...manifest, name: `${manifest.name}-${at}` }));
		return copy;
	});
}

/** Opens a VS Code window on the sample workspace with the last build of the extension, and measures in its extension host. */
export async function measureInWindow<W extends keyof Measured>(what: W): Promise<Measured[W]> {
	const folder = makeTempFolder();
	const result = path.join(folder, 'figures.json');
	const tests = path.join(folder, 'inHost.cjs');
	const workspace = path.join(folder, 'workspace');
	try {
		if (what === 'activation') {
			// the window must not activate the extension itself, while it starts and the processor is busy
			fs.mkdirSync(workspace);
		} else {
			fs.cpSync(path.join(root, 'samples'), workspace, { recursive: true });
		}
		await build({
			entryPoints: [path.join(root, 'test/bench/editor/inHost.ts')],
			outfile: tests,
			bundle: true,
			platform: 'node',
			format: 'cjs',
			mainFields: ['module', 'main'],
			external: ['vscode'],
			supported: { 'dynamic-import': false },
			logLevel: 'error',
		});
		await runTestsInWorkbench({
			folder,
			workspace,
			tests,
			development: path.join(root, 'test/host/emptyExtension'),
			extensions: [root, ...(what === 'activation' ? createEmptyExtensions(folder) : [])],
			packages: [],
			environment: { AGENT_WORKBENCH_BENCH_RESULT: result, AGENT_WORKBENCH_BENCH: what, AGENT_WORKBENCH_BENCH_ROOT: root },
		});
		return JSON.parse(fs.readFileSync(result, 'utf8')) as Measured[W];
	} finally {
		removeFolder(folder);
	}
}
