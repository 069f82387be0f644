/**
 * The line below a form with the help of the field that has the pointer or the focus. Help between the fields would double the length of
 * the form. Screen readers read the help as the description of the field.
 */
export class HelpBar {
	readonly element = document.createElement('p');
	#about = '';

	constructor(form: HTMLElement) {
		this.element.className = 'helpBar';
		form.addEventListener('focusin', ({ target }) => this.#showHelp(target));
		form.addEventListener('pointerover', ({ target }) => this.#showHelp(target));
		form.addEventListener('pointerleave', () => this.#showHelp(document.activeElement));
	}

	/** Sets what is shown while no field has the pointer or the focus. */
	setAbout(about: string): void {
		if (about !== this.#about) {
			this.#about = about;
			this.#showHelp(document.activeElement);
		}
	}

	#showHelp(target: EventTarget | null): void {
		const field = target instanceof Element ? target.closest('.field') : null;
		this.element.textContent = field?.querySelector(':scope > .fieldHelp')?.textContent ?? this.#about;
	}
}
