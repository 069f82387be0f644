import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { getStatusIconClasses } from '../shared/statusIcon.ts';
import type { GraphActions } from './gestures/graphActions.ts';
import type { FromGraph, FromGraphHost, ShownRun } from './picture/graphProtocol.ts';
import type { GraphStrings } from './picture/graphStrings.ts';

type Begun = Extract<FromGraphHost, { type: 'begin' }>;

export interface ToolbarParts {
	readonly actions: GraphActions;
	/** The run that is shown. */
	readonly run: ShownRun | undefined;
	/** True if the file is still empty. */
	readonly empty: boolean;
	readonly find: unknown;
	readonly zoom: unknown;
	post(message: FromGraph): void;
	undo(type: 'undo' | 'redo'): void;
	/** Shows or hides the fields of the agent. */
	toggleAgent(): void;
}

/** Renders the toolbar of a graph. */
export function renderGraphToolbar({ strings, editable: isWritable, undoKeys }: Begun, parts: ToolbarParts): unknown {
	const { actions, run, empty, find, zoom, post, undo, toggleAgent } = parts;
	const editable = isWritable && !empty;
	return html`<header class="toolbar" role="toolbar" aria-label=${strings.edit}>
			${editable ? [renderIconButton('add', strings.add, () => actions.addNodeAfterSelected()), renderIconButton('layout', strings.arrange, () => actions.requestEdit({ do: 'arrange' })), renderIconButton('symbol-variable', strings.agentForm, toggleAgent)] : nothing}
			${undoKeys && editable ? [renderIconButton('discard', strings.undo, () => undo('undo')), renderIconButton('redo', strings.redo, () => undo('redo'))] : nothing}
			${find}
			<span class="grow"></span>
			${
				run
					? html`<span class="runWords"><span class=${getStatusIconClasses(run.status)} aria-hidden="true"></span>${run.label} ${getOwnField(strings.statuses, run.status) ?? run.status}</span>${renderIconButton('list-tree', strings.inspectRun, () => post({ type: 'inspectRun' }))}${renderIconButton('close', strings.leaveRun, () => post({ type: 'leaveRun' }))}`
					: nothing
			}
			${renderIconButton('export', strings.export, () => post({ type: 'export' }))}
			${renderIconButton('history', strings.runs, () => post({ type: 'pickRun' }))}
			${zoom}
			${renderIconButton('go-to-file', strings.openText, () => post({ type: 'openText' }))}
		</header>`;
}

/** Renders the choices for an empty file. */
export function renderEmptyFile({ strings, editable, file }: Begun, actions: GraphActions): unknown {
	const name = file.replace(/\.ya?ml$/, '');
	const renderButton = (mode: 'workflow' | 'advanced-chat', label: string, help: string) =>
		html`<button type="button" aria-describedby="help-${mode}" @click=${() => actions.requestEdit({ do: 'begin', mode, name })}>${label}</button><p class="dim" id="help-${mode}">${help}</p>`;
	return html`<section class="beginning"><h2>${strings.emptyFile}</h2>
			${editable ? html`<p>${strings.beginWith}</p>${renderButton('workflow', strings.workflow, strings.workflowHelp)}${renderButton('advanced-chat', strings.chatflow, strings.chatflowHelp)}` : nothing}</section>`;
}

/** Renders the banners above the graph: why it is outdated, and why an edit was refused. */
export function renderBanners(stale: string | undefined, refused: string | undefined, { dismiss }: GraphStrings, act: () => void): unknown {
	const renderIcon = (name: string) => html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
	return html`${stale === undefined ? nothing : html`<p class="stale" role="status">${renderIcon('warning')}${stale}</p>`}
		${refused === undefined ? nothing : html`<p class="refused" role="alert">${renderIcon('error')}<span class="grow">${refused}</span>${renderIconButton('close', dismiss, act)}</p>`}`;
}

function renderIconButton(icon: string, label: string, act: () => void): unknown {
	return html`<button type="button" class="iconButton" title=${label} aria-label=${label} @click=${act}><span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`;
}
