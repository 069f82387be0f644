import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { runInWorkbench } from '../../../scripts/lib/hostTestsInWorkbench.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';

/** Milliseconds from the start of loading an extension's code to the end of its activate(). */
export interface ActivationFigures {
	readonly ownMs: number;
	/** Of an extension that does nothing (emptyExtension). */
	readonly emptyMs: number;
}

/** A run whose node events come fast. */
export interface EventFigures {
	/** Milliseconds from the write to the socket to the append to the output channel, one a node event. */
	readonly eventMs: readonly number[];
	/** Node events that were sent, and those that came to the channel. */
	readonly sent: number;
	readonly shown: number;
}

/** What is left of chat and inspector (test/bench/editor/heapInHost.ts). */
export interface HeapFigures {
	/** Bytes that the heap has grown by over all rounds. */
	readonly grownBytes: number;
	/** Instances that are still reachable, by class. */
	readonly left: Readonly<Record<string, number>>;
}

/** Milliseconds from a letter to what is offered for it, one a letter, by the number of nodes of the agent file (completionInHost.ts). */
export interface CompletionFigures {
	readonly few: readonly number[];
	readonly many: readonly number[];
}

/** A log that is paged through (pagingInHost.ts). */
export interface PagingFigures {
	/** Bytes in use after the window on the list was full, and 200 pages later. */
	readonly before: number;
	readonly after: number;
}

/** What can be measured in a window, each with its figures. */
interface Measured {
	readonly activation: ActivationFigures;
	readonly completion: CompletionFigures;
	readonly events: EventFigures;
	readonly paging: PagingFigures;
	readonly heap: HeapFigures;
}

/** The editor's marks are whole milliseconds: so many that do nothing are loaded, and their mean is taken. */
const emptyCount = 25;

/** Folders of extensions that do nothing, each with a name of its own. */
function emptyExtensions(folder: string): readonly string[] {
	const empty = path.join(import.meta.dirname, 'emptyExtension');
	const manifest = JSON.parse(fs.readFileSync(path.join(empty, 'package.json'), 'utf8')) as { name: string };
	return Array.from({ length: emptyCount }, (_, at) => {
		const copy = path.join(folder, `empty-${at}`);
		fs.cpSync(empty, copy, { recursive: true });
		fs.writeFileSync(path.join(copy, 'package.json'), JSON.stringify({ ...manifest, name: `${manifest.name}-${at}` }));
		return copy;
	});
}

/** Opens a window of VS Code on the sample workspace, with the extension as it was built last, and measures in its extension host. */
export async function measureInWindow<W extends keyof Measured>(what: W): Promise<Measured[W]> {
	const folder = makeTempFolder();
	const result = path.join(folder, 'figures.json');
	const tests = path.join(folder, 'inHost.cjs');
	const workspace = path.join(folder, 'workspace');
	try {
		fs.cpSync(path.join(root, 'samples'), workspace, { recursive: true });
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
		await runInWorkbench({
			folder,
			workspace,
			tests,
			development: path.join(root, 'test/host/emptyExtension'),
			extensions: [root, ...(what === 'activation' ? emptyExtensions(folder) : [])],
			packages: [],
			environment: { AGENT_WORKBENCH_BENCH_RESULT: result, AGENT_WORKBENCH_BENCH: what, AGENT_WORKBENCH_BENCH_ROOT: root },
		});
		return JSON.parse(fs.readFileSync(result, 'utf8')) as Measured[W];
	} finally {
		removeFolder(folder);
	}
}
