import * as vscode from 'vscode';
import { escapeIcons, toOneLine } from '../platform/wording.ts';
import type { AppOfDeployment, DifyDeployments } from './difyTypes.ts';

/** Options of {@link pickApps}. */
export interface AppPick {
	/** Connections whose apps can be selected. */
	readonly connectionIds: readonly string[];
	readonly title?: string;
	readonly placeHolder: string;
	/** True to let the user select any number of apps. */
	readonly many?: boolean;
	/** Returns the description and detail of the app's item. */
	readonly describeApp: (of: AppOfDeployment) => Pick<vscode.QuickPickItem, 'description' | 'detail'>;
}

interface AppItem extends vscode.QuickPickItem {
	readonly of: AppOfDeployment;
}

/** Time after the last keystroke until the search starts, in milliseconds. */
const typingMs = 250;

/**
 * Asks the user to select apps. If a workspace has more than one page of apps, it isn't loaded completely, and typing searches its apps by
 * name instead. Resolves to an empty list if the user cancels. Rejects if a deployment can't be reached.
 */
export async function pickApps(deployments: Pick<DifyDeployments, 'loadAppPage'>, pick: AppPick): Promise<readonly AppOfDeployment[]> {
	const { title, placeHolder, many = false } = pick;
	const progress = { location: vscode.ProgressLocation.Window, title: placeHolder };
	const first = await vscode.window.withProgress(progress, () => loadAppItems(deployments, pick, ''));
	if (first.hasMore) {
		return pickBySearch(deployments, pick, first.items);
	}
	const items = [...first.items].sort((a, b) => a.label.localeCompare(b.label));
	const options = { ...(title !== undefined && { title }), placeHolder, matchOnDescription: true };
	const chosen = many
		? await vscode.window.showQuickPick(items, { ...options, canPickMany: true })
		: [await vscode.window.showQuickPick(items, options)];
	return (chosen ?? []).flatMap(item => (item ? [item.of] : []));
}

function pickBySearch(
	deployments: Pick<DifyDeployments, 'loadAppPage'>,
	pick: AppPick,
	first: readonly AppItem[],
): Promise<readonly AppOfDeployment[]> {
	const box = vscode.window.createQuickPick<AppItem>();
	box.title = pick.title;
	box.placeholder = vscode.l10n.t({
		message: '{0} (type to search for more)',
		args: [pick.placeHolder],
		comment: ["{0} is the prompt of a list of apps, for example 'Select an app'"],
	});
	box.canSelectMany = pick.many ?? false;
	box.items = first;
	let asked = 0;
	let timer: NodeJS.Timeout | undefined;
	return new Promise<readonly AppOfDeployment[]>((resolve, reject) => {
		const searchApps = async () => {
			const turn = ++asked;
			box.busy = true;
			try {
				const { items } = await loadAppItems(deployments, pick, box.value.trim());
				if (turn === asked) {
					// keep the selected items for all later searches
					const ticked = box.canSelectMany ? box.selectedItems : [];
					box.items = [...ticked, ...items.filter(item => !ticked.some(each => isSameApp(each, item)))];
					box.selectedItems = ticked;
					box.busy = false;
				}
			} catch (error) {
				if (turn === asked) {
					reject(error);
					box.hide();
				}
			}
		};
		box.onDidChangeValue(() => {
			clearTimeout(timer);
			timer = setTimeout(searchApps, typingMs);
		});
		box.onDidAccept(() => {
			resolve(box.selectedItems.map(({ of }) => of));
			box.hide();
		});
		box.onDidHide(() => resolve([]));
		box.show();
	}).finally(() => {
		asked = -1;
		clearTimeout(timer);
		box.dispose();
	});
}

/** Loads the first page of each deployment's apps whose names contain a text. */
async function loadAppItems(
	deployments: Pick<DifyDeployments, 'loadAppPage'>,
	{ connectionIds, describeApp: wordsOf }: AppPick,
	name: string,
) {
	const pages = await Promise.all(
		connectionIds.map(async connectionId => {
			const { apps, hasMore } = await deployments.loadAppPage(connectionId, { page: 1, ...(name !== '' && { name }) });
			return { hasMore, items: apps.map(app => ({ connectionId, app })) };
		}),
	);
	// show all apps that a service finds, because it may match names differently
	const items = pages
		.flatMap(page => page.items)
		.map(of => ({ label: escapeIcons(toOneLine(of.app.name, 60)), alwaysShow: name !== '', ...wordsOf(of), of }));
	return { items, hasMore: pages.some(page => page.hasMore) };
}

function isSameApp({ of: a }: AppItem, { of: b }: AppItem): boolean {
	return a.connectionId === b.connectionId && a.app.id === b.app.id;
}
