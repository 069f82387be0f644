import * as vscode from 'vscode';
import { oneLine, withoutIcons } from '../platform/wording.ts';
import type { AppOfDeployment, DifyDeployments } from './difyTypes.ts';

/** Which apps the user is asked for. */
export interface AppPick {
	/** Connections whose deployments have them. */
	readonly connectionIds: readonly string[];
	readonly title?: string;
	readonly placeHolder: string;
	/** Any number of them; else one. */
	readonly many?: boolean;
	/** What stands beside the name of an app, and below it. */
	readonly wordsOf: (of: AppOfDeployment) => Pick<vscode.QuickPickItem, 'description' | 'detail'>;
}

interface AppItem extends vscode.QuickPickItem {
	readonly of: AppOfDeployment;
}

/** Milliseconds after the last key until a name is asked for. */
const typingMs = 250;

/**
 * Has the user choose apps. A workspace that is more than a page is not loaded for it: what is typed is asked for by name there. Empty where the user backs
 * out; rejects as its deployments do.
 */
export async function pickApps(deployments: Pick<DifyDeployments, 'appPage'>, pick: AppPick): Promise<readonly AppOfDeployment[]> {
	const { title, placeHolder, many = false } = pick;
	const progress = { location: vscode.ProgressLocation.Window, title: placeHolder };
	const first = await vscode.window.withProgress(progress, () => found(deployments, pick, ''));
	if (first.hasMore) {
		return searched(deployments, pick, first.items);
	}
	const items = [...first.items].sort((a, b) => a.label.localeCompare(b.label));
	const options = { ...(title !== undefined && { title }), placeHolder, matchOnDescription: true };
	const chosen = many
		? await vscode.window.showQuickPick(items, { ...options, canPickMany: true })
		: [await vscode.window.showQuickPick(items, options)];
	return (chosen ?? []).flatMap(item => (item ? [item.of] : []));
}

function searched(
	deployments: Pick<DifyDeployments, 'appPage'>,
	pick: AppPick,
	first: readonly AppItem[],
): Promise<readonly AppOfDeployment[]> {
	const box = vscode.window.createQuickPick<AppItem>();
	box.title = pick.title;
	box.placeholder = vscode.l10n.t('{0} · type a name to find others', pick.placeHolder);
	box.canSelectMany = pick.many ?? false;
	box.items = first;
	let asked = 0;
	let timer: NodeJS.Timeout | undefined;
	return new Promise<readonly AppOfDeployment[]>((resolve, reject) => {
		const search = async () => {
			const turn = ++asked;
			box.busy = true;
			try {
				const { items } = await found(deployments, pick, box.value.trim());
				if (turn === asked) {
					// what is ticked stays, whatever is looked for next
					const ticked = box.canSelectMany ? box.selectedItems : [];
					box.items = [...ticked, ...items.filter(item => !ticked.some(each => isSame(each, item)))];
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
			timer = setTimeout(search, typingMs);
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

/** The first page of each deployment's apps whose name has a text. */
async function found(deployments: Pick<DifyDeployments, 'appPage'>, { connectionIds, wordsOf }: AppPick, name: string) {
	const pages = await Promise.all(
		connectionIds.map(async connectionId => {
			const { apps, hasMore } = await deployments.appPage(connectionId, { page: 1, ...(name !== '' && { name }) });
			return { hasMore, items: apps.map(app => ({ connectionId, app })) };
		}),
	);
	// a service matches names in ways of its own: what it finds is shown
	const items = pages
		.flatMap(page => page.items)
		.map(of => ({ label: withoutIcons(oneLine(of.app.name, 60)), alwaysShow: name !== '', ...wordsOf(of), of }));
	return { items, hasMore: pages.some(page => page.hasMore) };
}

function isSame({ of: a }: AppItem, { of: b }: AppItem): boolean {
	return a.connectionId === b.connectionId && a.app.id === b.app.id;
}
