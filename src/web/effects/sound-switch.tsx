// Sound on or off, and with it what a phone can be felt by.
import { useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { useI18n } from '../i18n/index.tsx';
import { canVibrate, isSoundOn, setSound } from './effects.ts';

export function SoundSwitch() {
  const { t } = useI18n();
  const [isOn, setOn] = useState(isSoundOn);
  const toggle = () => {
    setSound(!isOn);
    setOn(!isOn);
  };
  return (
    <button type="button" class="quiet" aria-pressed={isOn} onClick={toggle}>
      <Icon name={isOn ? 'sound' : 'silent'} /> {canVibrate ? t.soundAndVibration : t.sound}
    </button>
  );
}
