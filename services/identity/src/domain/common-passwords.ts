/** The passwords of ten characters and more that lists of leaked ones name most often, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `1234567890 12345678910 123456789a 123456789q 0987654321 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4t5 q1w2e3r4t5y6
  1qaz2wsx3edc qazwsxedcrfv 1qazxsw23edc zaq12wsxcde3 qwertyuiop qwertyuiop123 qwerty12345 qwerty123456
  qwerty1234 qwertyqwerty asdfghjkl1 asdfghjkl123 asdfasdfasdf zxcvbnm123 zxcvbnm1234 zxcvbnmasd abcd123456
  abc123456789 abc1234567 abcd1234567 abcdef12345 abcdefghij abcdefgh123 a123456789 a1234567890 aa123456789
  a1b2c3d4e5 a1b2c3d4e5f6 123456789abc 12345qwert 123456qwerty 1234567890a 1234567890q 123qweasdzxc
  qweasdzxc123 qweqweqwe1 password12 password123 password1234 password12345 password123456 password01
  password00 password11 password99 password2020 password2021 password2022 password2023 password2024
  password2025 password2026 password123! password1! password12! passwordpassword passw0rd123 passw0rd12
  p@ssw0rd12 p@ssw0rd123 p@ssword123 pa$$word123 pa55word123 mypassword mypassword1 mypassword123
  newpassword newpassword1 yourpassword thepassword changeme123 changemenow changeme1234 letmein123
  letmein1234 letmeinnow welcome123 welcome1234 welcome12345 welcome2023 welcome2024 welcome2025 welcome2026
  admin12345 admin123456 administrator administrator1 adminadmin admin@1234 superadmin rootroot123
  iloveyou12 iloveyou123 iloveyou1234 iloveyou11 iloveyou22 iloveyousomuch iloveyouforever iloveyoubaby
  sunshine12 sunshine123 princess12 princess123 football12 football123 baseball12 baseball123 basketball
  basketball1 basketball12 volleyball superman12 superman123 batman12345 dragon12345 monkey12345 shadow12345
  master12345 michael123 michael1234 jordan12345 jennifer123 charlie123 liverpool1 liverpool123 manchester
  manchester1 chelsea123 arsenal123 barcelona1 barcelona123 realmadrid realmadrid1 juventus123 starwars12
  starwars123 trustno1234 computer12 computer123 internet12 internet123 whatever12 whatever123 samsung123
  google12345 facebook123 microsoft1 minecraft1 minecraft123 pokemon123 naruto12345 blink182182 christmas1
  spiderman1 spiderman123 butterfly1 butterfly123 strawberry strawberry1 chocolate1 chocolate123 watermelon
  hello12345 hello123456 hellohello hellohello1 helloworld helloworld1 helloworld123 lovelovelove love123456
  mylove1234 qwe123456789 test123456 test1234567 testtest123 testtesttest testing123 testing1234 temp123456
  temporary1 temppassword guest12345 default123 secret1234 secret12345 secret123456 supersecret topsecret1
  access1234 login12345 master1234 killer1234 summer2023 summer2024 summer2025 summer2026 winter2023
  winter2024 winter2025 winter2026 spring2024 spring2025 autumn2024 autumn2025 january2024 january2025
  october2024 november2025 december2025 asdf123456 asdfgh12345 asdfghjklq zaq1zaq1zaq1 zaq12wsx12 1111111111
  1212121212 1231231231 123123123123 1122334455 1020304050 1233211234 1234554321 1234512345 1234561234
  9876543210 98765432100 9999999999a 0123456789 147258369a 1472583690 159753456852 789456123a 7894561230
  987654321a 987654321q 5555555555a 6969696969 8888888888a polska1234 polska12345 kochanie12 kochanie123
  haslo12345 haslo123456 mojehaslo1 mojehaslo123 schalke04123 fussball123 passwort123 passwort1234
  hallo12345 motdepasse motdepasse1 azertyuiop azertyuiop1 azerty12345 contrasena contrasena1 tequieromucho
  teamo12345 loyalty123 loyalty1234 laurel12345 laurel123456`.split(/\s+/),
);
