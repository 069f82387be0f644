import Module from 'node:module';
import * as vscode from 'vscode';
import { getMainFile } from '../../support/editor/extensionUnderTest.ts';
import { inert } from './inert.ts';

type Main = { activate(context: vscode.ExtensionContext): unknown };
type Load = (request: string, parent: { filename?: string } | undefined, isMain: boolean) => unknown;

/** Results of an activation. */
export interface Rehearsal {
	/** The return value of activate(), before anything is awaited. */
	returned: unknown;
	/** IDs of the views that got a tree data provider or a webview provider. */
	providedViews: string[];
}

/**
 * Activates the extension a second time, because VS Code activates it at a time that no test controls. Loads its main file again, with a VS
 * Code API that records registrations, creations and listeners instead of performing them.
 */
export function rehearseActivation(extension: vscode.Extension<unknown>): Rehearsal {
	const rehearsal: Rehearsal = { returned: undefined, providedViews: [] };
	const mainFile = getMainFile(extension);
	const subscriptions: vscode.Disposable[] = [];
	const main = reloadModule(mainFile, createRehearsalApi(rehearsal));
	rehearsal.returned = main.activate(createContext(extension, subscriptions));
	for (const subscription of subscriptions.reverse()) {
		subscription.dispose();
	}
	return rehearsal;
}

/** Loads a module without the cache, which has VS Code's instance, and replaces the `vscode` module that it imports. */
function reloadModule(file: string, api: typeof vscode): Main {
	const loader = Module as unknown as { _load: Load };
	const original = loader._load;
	const require = Module.createRequire(file);
	const cached = require.cache[file];
	delete require.cache[file];
	loader._load = (request, parent, isMain) =>
		request === 'vscode' && parent?.filename === file ? api : original.call(Module, request, parent, isMain);
	try {
		return require(file) as Main;
	} finally {
		loader._load = original;
		if (cached) {
			require.cache[file] = cached;
		}
	}
}

function createRehearsalApi({ providedViews }: Rehearsal): typeof vscode {
	const createInertMember = (name: string) => (first: unknown) => {
		if (/^(registerTreeDataProvider|createTreeView|registerWebviewViewProvider)$/.test(name)) {
			providedViews.push(String(first));
		}
		return inert;
	};
	const removeEffects = (namespace: object): object =>
		new Proxy(namespace, {
			get: (target, name) =>
				/^(register|create|onDid|onWill|set[A-Z])/.test(String(name)) ? createInertMember(String(name)) : Reflect.get(target, name),
		});
	const isNamespace = (member: unknown): member is object => typeof member === 'object' && member !== null;
	const members = Object.entries(vscode).map(([name, member]) => [name, isNamespace(member) ? removeEffects(member) : member]);
	return Object.fromEntries(members) as typeof vscode;
}

function createContext(extension: vscode.Extension<unknown>, subscriptions: vscode.Disposable[]): vscode.ExtensionContext {
	const state = {
		keys: () => [],
		get: (_key: string, fallback: unknown) => fallback,
		update: async () => undefined,
		setKeysForSync: () => undefined,
	};
	const known: Record<string, unknown> = {
		extension,
		extensionPath: extension.extensionPath,
		extensionUri: extension.extensionUri,
		extensionMode: vscode.ExtensionMode.Test,
		subscriptions,
		workspaceState: state,
		globalState: state,
		asAbsolutePath: (file: string) => vscode.Uri.joinPath(extension.extensionUri, file).fsPath,
		...Object.fromEntries(
			['storageUri', 'globalStorageUri', 'logUri'].map(name => [name, vscode.Uri.joinPath(extension.extensionUri, 'nowhere', name)]),
		),
	};
	return new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? inert }) as unknown as vscode.ExtensionContext;
}
