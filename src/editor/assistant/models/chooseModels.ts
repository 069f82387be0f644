import * as vscode from 'vscode';
import type { Targets } from '../../chat/targets.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { withoutIcons } from '../../platform/wording.ts';
import { type ChosenModel, idOfModel } from './chosenModel.ts';
import type { ChosenModels } from './chosenModels.ts';
import { type OfferedModel, offers } from './offeredModels.ts';

/** A model in the list; separators have none. */
interface ModelItem extends vscode.QuickPickItem {
	model?: ChosenModel;
}

const otherName: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: vscode.l10n.t('Rename') };

/** Lets the user choose and rename the models and agents that VS Code's chat lists. */
export async function chooseModels(connections: Connections, targets: Targets, chosen: ChosenModels): Promise<void> {
	const pick = vscode.window.createQuickPick<ModelItem>();
	pick.title = vscode.l10n.t("Models and agents in VS Code's chat");
	pick.placeholder = vscode.l10n.t('Select the models and agents to list. Use the pencil to rename one.');
	pick.canSelectMany = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	pick.ignoreFocusOut = true;
	pick.busy = true;
	pick.show();
	// listen from the start: the user may cancel before all services have responded
	const hidden = new Promise<undefined>(resolve => pick.onDidHide(() => resolve(undefined)));
	try {
		const before = chosen.list();
		const items = await Promise.race([itemsOf(connections, targets, before), hidden]);
		if (!items) {
			return;
		}
		pick.items = items;
		pick.selectedItems = pick.items.filter(({ model }) => model && before.some(each => idOfModel(each) === idOfModel(model)));
		pick.busy = false;
		const models = await picked(pick);
		if (models) {
			await chosen.save(models);
			await tellWhere(models.length);
		}
	} finally {
		pick.dispose();
	}
}

async function itemsOf(connections: Connections, targets: Targets, before: readonly ChosenModel[]): Promise<ModelItem[]> {
	const offered = await offers(connections, targets);
	const items = offered.flatMap(({ connection, models, problems }): ModelItem[] => {
		const ids = new Set(models.map(idOfModel));
		// chosen models stay selectable even if their service doesn't list them now
		const others = before.filter(each => each.connection === connection.id && !ids.has(idOfModel(each)));
		const entries = [...models, ...others].map(model => itemOf(model, before));
		const separator = { label: connection.name, kind: vscode.QuickPickItemKind.Separator };
		const failed = problems.map(problem => ({ label: withoutIcons(problem), kind: vscode.QuickPickItemKind.Separator }));
		return entries.length + failed.length === 0 ? [] : [separator, ...entries, ...failed];
	});
	// keep the user's entries of removed connections
	const gone = before.filter(each => !connections.get(each.connection)).map(model => itemOf(model, before));
	return [...items, ...gone];
}

function itemOf(offered: OfferedModel, before: readonly ChosenModel[]): ModelItem {
	const { detail, ...fresh } = offered;
	const model = before.find(each => idOfModel(each) === idOfModel(fresh)) ?? fresh;
	const kind = model.endpoint === 'agent' ? vscode.l10n.t('Agent') : '';
	return {
		label: withoutIcons(model.name ?? model.model),
		description: [kind, ...(model.name ? [model.model] : []), detail ?? ''].filter(Boolean).map(withoutIcons).join(' · '),
		buttons: [otherName],
		model,
	};
}

/** Resolves to the selection; `undefined` if the user cancels. */
function picked(pick: vscode.QuickPick<ModelItem>): Promise<readonly ChosenModel[] | undefined> {
	return new Promise((resolve, reject) => {
		let isNaming = false;
		const name = async (item: ModelItem) => {
			isNaming = true;
			const selected = pick.selectedItems;
			await rename(item);
			isNaming = false;
			// the quick pick only shows changes of items that are assigned again
			pick.items = [...pick.items];
			pick.selectedItems = selected.includes(item) ? selected : [...selected, item];
			pick.show();
		};
		pick.onDidTriggerItemButton(({ item }) => void name(item).catch(reject));
		pick.onDidAccept(() => {
			resolve(pick.selectedItems.flatMap(({ model }) => (model ? [model] : [])));
			// hide now, because the notification that follows can stay open
			pick.hide();
		});
		pick.onDidHide(() => {
			if (!isNaming) {
				resolve(undefined);
			}
		});
	});
}

async function rename(item: ModelItem): Promise<void> {
	const { model } = item;
	const value =
		model &&
		(await vscode.window.showInputBox({
			title: vscode.l10n.t("Name of '{0}' in VS Code's chat", model.model),
			prompt: vscode.l10n.t('Leave empty to use the original name.'),
			value: model.name ?? model.model,
		}));
	if (model && value !== undefined) {
		const { name: _, ...rest } = model;
		const given = value.trim();
		item.model = { ...rest, ...(given !== '' && given !== model.model && { name: given }) };
		item.label = withoutIcons(item.model.name ?? model.model);
	}
}

/** Command that opens VS Code's page of language models. */
const modelsPage = 'workbench.action.chat.manage';

/** Tells the user how to show the models: VS Code lists those of an extension only after they are added on its own page. */
async function tellWhere(count: number): Promise<void> {
	if (count === 0) {
		return;
	}
	// older versions of VS Code lack this command
	const hasPage = (await vscode.commands.getCommands(true)).includes(modelsPage);
	const manage = vscode.l10n.t('Manage Language Models');
	const message =
		count === 1
			? vscode.l10n.t("Selected 1 model. If VS Code's chat doesn't list it, add 'Agent Workbench' to its language models.")
			: vscode.l10n.t("Selected {0} models. If VS Code's chat doesn't list them, add 'Agent Workbench' to its language models.", count);
	if ((await vscode.window.showInformationMessage(message, ...(hasPage ? [manage] : []))) === manage) {
		await vscode.commands.executeCommand(modelsPage);
	}
}
