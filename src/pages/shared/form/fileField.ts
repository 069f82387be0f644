import { html, nothing, type TemplateResult } from 'lit';
import type { FileSource } from '#runs/forms/formAnswer.ts';
import type { FormStrings } from '#runs/forms/formStrings.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import { fill, fillCount } from '../fill.ts';
import { formatList } from '../format.ts';
import { formatBytes, renderProblemLine } from './fieldParts.ts';
import type { FieldFile } from './formDraft.ts';

interface FileFieldModel {
	readonly field: FormField;
	readonly id: string;
	readonly files: readonly FieldFile[];
	/** True if the form can't be changed any more. */
	readonly off: boolean;
	readonly strings: FormStrings;
	readonly problem: string | undefined;
	choose(from: FileSource): void;
	set(files: readonly FieldFile[]): void;
}

/** Renders a field for files: names and sizes, accepted types, and buttons to choose more. */
export function renderFileField({ field, id, files, off, strings, problem, choose, set }: FileFieldModel): TemplateResult {
	const { kind, label, name, help, required, uploads, links, fileTypes, extensions, most, largest } = field;
	const many = kind === 'file-list';
	const hint = [
		...(fileTypes.length > 0 ? [fill(strings.takes, formatList([...fileTypes, ...extensions]))] : []),
		...(many && most !== undefined ? [fillCount(strings.most, most)] : []),
		...(largest !== undefined ? [fill(strings.largest, formatBytes(largest, strings))] : []),
	].join(' · ');
	const sources: [FileSource, string][] = [
		...(uploads
			? ([
					['machine', many ? strings.chooseFiles : strings.chooseFile],
					['workspace', strings.fromWorkspace],
				] as [FileSource, string][])
			: []),
		...(links ? ([['address', strings.fromAddress]] as [FileSource, string][]) : []),
	];
	const described = [
		`${id}-label`,
		`${id}-hint`,
		...(help ? [`${id}-help`] : []),
		...(problem === undefined ? [] : [`${id}-problem`]),
	].join(' ');
	return html`<div class="formField" role="group" aria-labelledby="${id}-label">
		<span class="label" id="${id}-label">${label ?? name}${required ? html`<span class="requiredMark" aria-hidden="true" title=${strings.required}>*</span>` : nothing}</span>
		<ul class="formFiles">
			${files.map(
				(
					file,
					at,
				) => html`<li class="chip"><span class="codicon codicon-file" aria-hidden="true"></span><span dir="auto">${file.name}</span>${file.size === undefined ? nothing : html`<span class="dim fileSize">${formatBytes(file.size, strings)}</span>`}
					<button type="button" class="iconButton codicon codicon-close" title=${fill(strings.remove, file.name)} aria-label=${fill(strings.remove, file.name)} ?disabled=${off} @click=${() => set(files.toSpliced(at, 1))}></button></li>`,
			)}
			${files.length === 0 ? html`<li class="dim">${strings.noFile}</li>` : nothing}
		</ul>
		<div class="row">
			${sources.map(
				([from, text], at) =>
					html`<button type="button" id=${at === 0 ? id : nothing} class="formButton default" aria-invalid=${problem === undefined ? nothing : 'true'} aria-describedby=${described} ?disabled=${off} @click=${() => choose(from)}>${text}</button>`,
			)}
			<span class="dim" id="${id}-hint">${hint}</span>
		</div>
		${help ? html`<p class="help" id="${id}-help">${help}</p>` : nothing}
		${renderProblemLine(id, problem)}
	</div>`;
}
