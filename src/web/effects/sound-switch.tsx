import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import { canVibrate, isSoundOn, setSound } from './effects.ts';

/** @param props.isShort whether a phone shows the icon alone */
export function SoundSwitch({ isShort = false }) {
  const { t } = useI18n();
  const [isOn, setOn] = useState(isSoundOn);
  const toggle = () => {
    setSound(!isOn);
    setOn(!isOn);
  };
  return (
    <button type="button" class="quiet" aria-pressed={isOn} onClick={toggle}>
      <Icon name={isOn ? 'sound' : 'silent'} />{' '}
      <span class={isShort ? 'on-wide' : undefined}>{canVibrate ? t.soundAndVibration : t.sound}</span>
    </button>
  );
}
