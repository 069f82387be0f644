import { build } from 'esbuild';
import { JSDOM } from 'jsdom';

/** A window in which a module runs as in a page: bundled for a browser, with a separate document. */
export interface PageWindow<Exports> {
	readonly window: JSDOM['window'];
	readonly exports: Exports;
}

/**
 * Runs a module of a page. Renderers get the document when they are loaded, so modules in one process would share the first one.
 * @param file absolute path of the module
 * @param globals what the module needs of a browser besides the document
 */
export async function runPage<Exports>(file: string, globals: object = {}): Promise<PageWindow<Exports>> {
	const { window } = new JSDOM('<!DOCTYPE html><body></body>', { runScripts: 'outside-only', pretendToBeVisual: true });
	Object.assign(window, globals);
	const text = bundles.get(file) ?? (await bundlePage(file));
	bundles.set(file, text);
	window.eval(`${text}; window.page = page;`);
	return { window, exports: (window as unknown as { page: Exports }).page };
}

/** Bundled modules by file, because many tests run the same one. */
const bundles = new Map<string, string>();

async function bundlePage(file: string): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [file],
		bundle: true,
		write: false,
		format: 'iife',
		globalName: 'page',
		platform: 'browser',
		target: 'es2024',
		// static fields would hide the accessors that lit creates
		tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
	});
	return outputFiles[0]?.text ?? '';
}
